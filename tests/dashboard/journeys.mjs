/*
 * What people do in the dashboard, from invitation to approval, in a browser without script; passkeys need it.
 */
import { eventually } from "../service.mjs";
import { check } from "../check.mjs";
import { axe, browser, close } from "./browser.mjs";
import { account, call, final, origin, run } from "./service.mjs";
import { Person } from "./person.mjs";

const has = async (name, person, words) => {
  const text = await person.text();
  await check(`${name}: ${words}`, !text.includes(words) && `the page reads ${JSON.stringify(text.slice(0, 400))}`);
};

/** A person enrols, gets recovery codes, and is signed in. */
export async function enrolment() {
  const owner = Person.invited("ama@example.com", "owner");
  await owner.open();
  await owner.enrol("Ama Owusu");
  const codes = await owner.page.locator("main li").allInnerTexts();
  await check("enrolment: ten recovery codes", codes.length !== 10 && codes.length);
  const used = await (await owner.page.goto(owner.invitation)).status();
  await check("enrolment: a used link", used !== 404 && used);
  await owner.page.goto(`${origin}/dashboard`);
  await check("enrolment: arrives at the account", !owner.page.url().endsWith("/home") && owner.page.url());
  return owner;
}

/** A key that is made in a page works until it is revoked. */
export async function key(owner) {
  const { page } = owner;
  await owner.goto("/keys");
  await page.locator("#create > summary").click();
  await page.locator("#name").fill("till 1");
  await page.locator("[value=read]").check();
  await page.getByRole("button", { name: "Create a key" }).click();
  const secret = await page.locator(".secret").innerText();
  const status = async () => (await fetch(`${origin}/v1/transactions`, { headers: { authorization: `Bearer ${secret}` } })).status;
  await check("a new key works", (await status()) !== 200 && (await status()));
  await owner.goto("/keys");
  await check("a key is shown once", (await page.content()).includes(secret) && "it is shown again");
  await page.locator("tr", { hasText: "till 1" }).getByRole("button", { name: "Replace" }).click();
  await page.locator("[value='168']").check();
  await page.getByRole("button", { name: "Replace the key till 1" }).click();
  const successor = await page.locator(".secret").innerText();
  await check("a replaced key still works", (await status()) !== 200 && (await status()));
  await check("its successor is another key", successor === secret && "it is the same");
  await owner.goto("/keys");
  await page.locator("tr", { hasText: "till 1" }).last().getByRole("button", { name: "Revoke" }).click();
  await has("the question before a key is revoked", owner, "Revoke the key till 1?");
  await page.locator("form[action$=revoke] button").click();
  await check("a revoked key", (await status()) !== 401 && (await status()));
}

/** The owner invites somebody in a page. Each decides about a payout, and a page that is out of date says so. */
export async function approval(owner) {
  run("account", "set", "--account", account.accountId, "--mode", "test", "--payout-approval-above", "0");
  const pay = (amount) => call("POST", "/payout", { amount, phoneNumber: "0241234567", network: "MTN" });
  const [approved, refused] = [await pay(5), await pay(6)].map((payout) => payout.transactionId);
  await owner.goto("/people");
  await owner.page.locator("#create > summary").click();
  await owner.page.locator("#email").fill("kofi@example.com");
  await owner.page.locator("#role").selectOption("finance");
  await owner.page.locator("#create form button").click();
  const finance = new Person("kofi@example.com", await owner.page.locator(".secret").innerText());
  await finance.open();
  await finance.enrol("Kofi Mensah");
  for (const person of [owner, finance]) await person.goto("/payouts");
  const approve = async (person) => {
    const button = person.page.locator(`form[action$="${approved}/approve"] button`);
    await button.click();
    await has("the question before an approval", person, "send GH₵5.00 to 024 123 4567?");
    await button.click();
  };
  await approve(finance);
  await has("an approval", finance, "approved");
  await approve(owner);
  await has("an approval in a page that is out of date", owner, "does not wait for an approval any more");
  const refusal = finance.page.locator(`form[action$="${refused}/refuse"]`);
  await refusal.locator("button").click();
  await refusal.locator("[name=note]").fill("we do not know this number");
  await refusal.locator("button").click();
  await check("an approved payout", (await final(approved)) !== "SUCCESSFUL" && "it is not paid");
  await check("a refused payout", (await final(refused)) !== "FAILED" && "it is not ended");
  const forbidden = await (await finance.goto("/keys")).status();
  await check("a page that the role does not permit", forbidden !== 403 && forbidden);
  await close(finance.context);
}

/* What a page says to the second of two clicks, while the first one is executed. */
const RUNNING = "It is being refunded already";

/** Two clicks on one form make one refund. */
export async function refund(owner, payment) {
  await owner.goto(`/payments/${payment}`);
  await owner.page.locator("#amount").fill("1.5");
  await owner.page.locator("#reason").fill("<b>broken</b>");
  await owner.page.locator("form[action$=refund] button").first().click();
  await has("the question before a refund", owner, "Return GH₵1.50 to");
  await owner.page.locator("form[action$=refund] button").first().dblclick();
  const made = await eventually("the refund", async () => {
    const { data } = await call("GET", `/refunds?transactionId=${payment}`);
    return data.length > 0 && data.every(({ status }) => status === "SUCCESSFUL") && data;
  });
  await check("two clicks make one refund", made.length !== 1 && made.length);
  // The refund may be there before the page that says so, which would interrupt the next one. The second click may come while
  // the first one is executed, and then its page says that.
  await eventually("the page after two clicks", async () => {
    const address = await owner.page.evaluate(() => location.href);
    return /[?]done=/.test(address) || (await owner.text()).includes(RUNNING);
  });
  await owner.goto("/refunds");
  await has("the list of refunds", owner, "<b>broken</b>");
}

/** Somebody who signs out in one tab is signed out in the other, and returns to its page after signing in there. */
export async function signOut(owner) {
  const other = await owner.context.newPage();
  await other.goto(owner.at("/payments?status=FAILED"));
  await owner.goto("/home");
  await owner.page.locator("form[action$=sign-out] button").click();
  await other.reload();
  await check("signed out in every tab", !other.url().includes("/dashboard/sign-in") && other.url());
  owner.page = other;
  await owner.signIn("a wrong password");
  await has("a wrong password", owner, "wrong");
  await check("a wrong password: the address stays", (await other.locator("[name=email]").inputValue()) !== owner.email && "it is lost");
  await owner.signIn();
  await check("signed in again, at the same page", other.url() !== owner.at("/payments?status=FAILED") && other.url());
}

/** A device with passkeys that recognises the person. */
async function addAuthenticator(context, page) {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

/** A passkey is added, signs in from a browser without a session, proves, and is refused after its removal. */
export async function passkey(owner) {
  const context = await browser.newContext({ storageState: await owner.context.storageState() });
  const page = await context.newPage();
  const { devtools, authenticatorId } = await addAuthenticator(context, page);
  const security = `${origin}/dashboard/security`;
  await page.goto(security);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Added 2").waitFor();
  await check("a passkey: back at the page", page.url() !== `${security}?done=saved` && page.url());

  await context.clearCookies();
  await page.goto(`${owner.at("/payments?status=FAILED")}`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(owner.at("/payments?status=FAILED"));
  await page.goto(`${origin}/dashboard/proof?return=/dashboard/security`);
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await page.getByText("Last used").waitFor();

  // The device does not recognise the person: nothing is sent, and the button tries again.
  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.goto(`${origin}/dashboard/proof?return=/dashboard/security`);
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await page.getByText("No passkey was used").waitFor();
  await check("a passkey that was not used, axe", (await axe(page)).join("\n  "));
  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await page.getByText("Last used").waitFor();

  await page.locator("form[action$=remove] button").click();
  await check("a removed passkey", (await page.getByText("Added 2").count()) !== 0 && "it is listed");
  await context.clearCookies();
  await page.goto(`${origin}/dashboard/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("This passkey was not accepted").waitFor();
  await close(context);
}

/** Somebody enrols with a passkey alone, signs out, signs in with it, and makes new recovery codes after a proof. */
export async function passkeyAlone() {
  const person = Person.invited("esi@example.com", "viewer");
  const context = await browser.newContext();
  const page = await context.newPage();
  await addAuthenticator(context, page);
  const enrol = async (address) => {
    await page.goto(address);
    await page.getByLabel("Your name").fill("Esi Mensah");
    await page.getByRole("button", { name: "Enrol with a passkey" }).click();
  };
  // Passkeys belong to the name of the service. At its IP address the page leads to that name.
  await enrol(person.invitation.replace("localhost", "127.0.0.1"));
  await page.getByText("do not work at the address of this page").waitFor();
  await check("a passkey at an IP address, axe", (await axe(page)).join("\n  "));
  await page.getByRole("link", { name: origin }).click();
  await check("a passkey at an IP address: the right one", !page.url().startsWith(person.invitation) && page.url());
  await enrol(page.url());
  await page.getByText("without a password").waitFor();
  await check("a passkey alone: ten recovery codes", (await page.locator("main li").count()) !== 10 && "other codes");
  await check("a passkey alone: recovery codes, axe", (await axe(page)).join("\n  "));
  await page.goto(`${origin}/dashboard/security`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.goto(`${origin}/dashboard/sign-in?return=/dashboard/security`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("Last used").waitFor();
  await page.goto(`${origin}/dashboard/proof?return=/dashboard/security`);
  await check("a passkey alone: a proof without password", (await page.locator("[name=password]").count()) !== 0 && "it asks");
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await page.getByRole("button", { name: "Make new recovery codes" }).click();
  await page.getByText("without a password").waitFor();
  await page.goto(`${origin}/dashboard/security`);
  await page.locator("form[action$=remove] button").click();
  await page.getByText("your only way to sign in").waitFor();
  await check("a passkey alone: the last one stays, axe", (await axe(page)).join("\n  "));
  await close(context);
}

/** At the provider: its page asks for a name and a password, and for consent. */
async function atProvider(page, name) {
  await page.locator("[name=login]").fill(name);
  await page.locator("[name=password]").fill("any");
  await page.locator("[type=submit]").click();
}

/** A person links an identity at a certified provider, signs in with it, proves with it, and signs out. */
export async function provider(owner) {
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: await owner.context.storageState() });
  const page = await context.newPage();
  const security = `${origin}/dashboard/security`;
  await page.goto(security);
  await page.getByRole("button", { name: "Link Adom ID" }).click();
  await atProvider(page, "ama");
  await page.locator("[type=submit]").click();
  await page.getByText("Linked 2").waitFor();
  await check("a linked identity: back at the page", page.url() !== security && page.url());

  const asked = owner.at("/payments?status=FAILED");
  await context.clearCookies({ domain: "localhost" });
  await page.goto(asked);
  await page.getByRole("button", { name: "Sign in with Adom ID" }).click();
  await page.waitForURL(asked);

  // Who is signed in to the provider is asked again for a proof.
  await page.goto(`${origin}/dashboard/proof?return=/dashboard/security`);
  await page.getByRole("button", { name: "Confirm with Adom ID" }).click();
  await atProvider(page, "ama");
  await page.getByText("Last used").waitFor();
  await check("a proof with the provider: back at the page", page.url() !== security && page.url());

  await page.goto(`${origin}/dashboard/security`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("link", { name: "Sign out of Adom ID too" }).waitFor();
  // Nobody has linked the other identity.
  await context.clearCookies();
  await page.goto(`${origin}/dashboard/sign-in`);
  await page.getByRole("button", { name: "Sign in with Adom ID" }).click();
  await atProvider(page, "stranger");
  await page.locator("[type=submit]").click();
  await page.getByText("You have no role here").waitFor();
  await close(context);
}
