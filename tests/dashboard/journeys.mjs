/*
 * What people do in the dashboard, from invitation to approval, in a browser without script.
 */
import { check } from "../looks/browser.mjs";
import { account, call, final, origin, run } from "./service.mjs";
import { Person } from "./person.mjs";

const has = async (name, person, words) => {
  const text = await person.text();
  check(`${name}: ${words}`, !text.includes(words) && `the page reads ${JSON.stringify(text.slice(0, 400))}`);
};

/** A person enrols, gets recovery codes, and is signed in. */
export async function enrolment() {
  const owner = Person.invited("ama@example.com", "owner");
  await owner.open();
  await owner.enrol("Ama Owusu");
  const codes = await owner.page.locator("main li").allInnerTexts();
  check("enrolment: ten recovery codes", codes.length !== 10 && codes.length);
  const used = await owner.page.goto(owner.invitation);
  check("enrolment: a used link", used.status() !== 404 && used.status());
  await owner.page.goto(`${origin}/dashboard`);
  check("enrolment: arrives at the account", !owner.page.url().endsWith("/home") && owner.page.url());
  return owner;
}

/** A key that is made in a page works until it is revoked. */
export async function key(owner) {
  const { page } = owner;
  await owner.goto("/keys");
  await page.locator("#name").fill("till 1");
  await page.locator("[value=read]").check();
  await page.getByRole("button", { name: "Create a key" }).click();
  const secret = await page.locator(".secret").innerText();
  const status = async () => (await fetch(`${origin}/v1/transactions`, { headers: { authorization: `Bearer ${secret}` } })).status;
  check("a new key works", (await status()) !== 200 && (await status()));
  await owner.goto("/keys");
  check("a key is shown once", (await page.content()).includes(secret) && "it is shown again");
  await page.locator("tr", { hasText: "till 1" }).getByRole("button").click();
  check("a revoked key", (await status()) !== 401 && (await status()));
}

/** The owner invites somebody in a page. Each decides about a payout, and a page that is out of date says so. */
export async function approval(owner) {
  run("account", "set", "--account", account.accountId, "--mode", "test", "--payout-approval-above", "0");
  const pay = (amount) => call("POST", "/payout", { amount, phoneNumber: "0241234567", network: "MTN" });
  const [approved, refused] = [await pay(5), await pay(6)].map((payout) => payout.transactionId);
  await owner.goto("/people");
  await owner.page.locator("#email").fill("kofi@example.com");
  await owner.page.locator("#role").selectOption("finance");
  await owner.page.locator("form[action$=invite] button").click();
  const finance = new Person("kofi@example.com", await owner.page.locator(".secret").innerText());
  await finance.open();
  await finance.enrol("Kofi Mensah");
  for (const person of [owner, finance]) await person.goto("/payouts");
  const approve = (person) => person.page.locator(`form[action$="${approved}/approve"] button`).click();
  await approve(finance);
  await has("an approval", finance, "approved");
  await approve(owner);
  await has("an approval in a page that is out of date", owner, "does not wait for an approval any more");
  const refusal = finance.page.locator(`form[action$="${refused}/refuse"]`);
  await refusal.locator("[name=note]").fill("we do not know this number");
  await refusal.locator("button").click();
  check("an approved payout", (await final(approved)) !== "SUCCESSFUL" && "it is not paid");
  check("a refused payout", (await final(refused)) !== "FAILED" && "it is not ended");
  await finance.page.goBack();
  await finance.page.goForward();
  check("the back button", (await call("GET", "/transactions?type=PAYOUT")).data.length !== 2 && "it paid again");
  const forbidden = await finance.goto("/keys");
  check("a page that the role does not permit", forbidden.status() !== 403 && forbidden.status());
  await finance.context.close();
}

/** Somebody who signs out in one tab is signed out in the other, and returns to its page after signing in there. */
export async function signOut(owner) {
  const other = await owner.context.newPage();
  await other.goto(owner.at("/payments?status=FAILED"));
  await owner.goto("/home");
  await owner.page.locator("form[action$=sign-out] button").click();
  await other.reload();
  check("signed out in every tab", !other.url().includes("/dashboard/sign-in") && other.url());
  owner.page = other;
  await owner.signIn("a wrong password");
  await has("a wrong password", owner, "wrong");
  check("a wrong password: the address stays", (await other.locator("[name=email]").inputValue()) !== owner.email && "it is lost");
  await owner.signIn();
  check("signed in again, at the same page", other.url() !== owner.at("/payments?status=FAILED") && other.url());
}
