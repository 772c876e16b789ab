/*
 * People ask for money and pay it: without script, and with it on a narrow phone, where the till has a keypad and announces
 * what was paid.
 */
import { check } from "../check.mjs";
import { axe, browser, close, isChromium } from "./browser.mjs";
import { call, final } from "./service.mjs";
import { Person } from "./person.mjs";

const PHONE = { viewport: { width: 390, height: 740 } };

const charges = async () => (await call("GET", "/transactions?type=CHARGE&limit=100")).data.length;

/** Whoever has the role `till` asks a payer without script: two taps ask once, and the page follows it by itself. */
export async function till() {
  const person = Person.invited("till@example.com", "till");
  await person.open(PHONE);
  await person.enrol("Till 1");
  await person.goto("/till");
  const { page } = person;
  await page.locator("#amount").fill("much");
  await page.locator("#phoneNumber").fill("024 123 4567");
  await page.locator("button.ask-button").click();
  await check("a wrong amount: the number stays", (await page.locator("#phoneNumber").inputValue()) !== "024 123 4567" && "it is lost");
  const before = await charges();
  await page.locator("#amount").fill("1,200");
  await page.locator("button.ask-button").dblclick();
  await page.waitForURL(/till\/txn_/);
  await check("two taps ask once", (await charges()) !== before + 1 && "other charges");
  // The page loads itself again.
  await page.getByText("The operator has confirmed the payment").waitFor();
  await check("a paid request is not asked again", (await page.getByRole("link", { name: "Ask again" }).count()) > 0 && "it is offered");
  await page.getByRole("link", { name: "Next customer" }).click();
  await check("the next customer's form is empty", (await page.locator("#amount").inputValue()) !== "" && "an amount");
  const forbidden = await (await person.goto("/payments")).status();
  await check("a till reads no payments", forbidden !== 403 && forbidden);
  await withScript(person);
  await close(person.context);
}

/**
 * The forms on a phone, in both languages: without scrolling, the button that sends stands above the bar, and covers no field. The
 * fonts of the other engines here are taller; there, a field that gets the focus is scrolled above the button.
 */
export async function sendButtons(owner) {
  const storageState = await owner.context.storageState();
  for (const locale of ["en", "fr"]) {
    for (const path of ["/ask", "/payouts/new", "/till"]) {
      const context = await browser.newContext({ ...PHONE, locale, storageState });
      const page = await context.newPage();
      await page.goto(owner.at(path));
      const below = await page.evaluate(() => {
        const end = document.querySelector(".tabs")?.getBoundingClientRect().top ?? innerHeight;
        return document.querySelector(".send > button").getBoundingClientRect().bottom - end;
      });
      await check(`the button of ${path}, ${locale}`, below > 0 && `${below} pixels below`);
      const covered = await page.evaluate(() => {
        const { top } = document.querySelector(".send").getBoundingClientRect();
        const isCovered = (box) => box.top < top && box.bottom > top;
        const fields = [...document.querySelectorAll("main :is(input, select)")];
        return fields.filter((field) => isCovered(field.getBoundingClientRect())).map(({ name }) => name);
      });
      if (isChromium) await check(`the fields of ${path}, ${locale}`, covered.length > 0 && `half covered: ${covered}`);
      await close(context);
    }
  }
}

/** With script: the network is proposed, the keypad types, and what is paid is announced once. */
async function withScript(person) {
  const context = await browser.newContext({ ...PHONE, hasTouch: true, isMobile: true, storageState: await person.context.storageState() });
  if (isChromium) await recordSpeech(context);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(person.at("/till"));
  await check("the till, axe", (await axe(page)).join("\n  "));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await check("the till scrolls sideways", wide > 0 && `${wide} pixels`);
  const press = async (keys) => {
    for (const key of keys) await page.locator(`[data-key="${key}"]`).tap();
  };
  await press("305");
  await page.getByRole("button", { name: "Delete the last character" }).tap();
  await page.locator("#phoneNumber").tap();
  await press("0201234567");
  await check("the keypad types", (await page.locator("#amount").inputValue()) !== "30" && "another amount");
  await check("the network is proposed", (await page.locator("#network").inputValue()) !== "TELECEL" && "it is not");
  await page.locator("button.ask-button").tap();
  await page.locator("#code").fill("123456");
  await page.getByRole("button", { name: "Confirm the payment" }).tap();
  await page.getByText("The operator has confirmed the payment").waitFor();
  await page.goto(person.at("/till"));
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector("[rel=manifest]").href)).json());
  await check("the till can be installed", manifest.start_url !== new URL(person.at("/till")).pathname && manifest.start_url);
  if (isChromium) {
    const said = (await page.evaluate(() => window.said)).filter((text) => text === "30 cedis, paid");
    await check("what is paid is said once", said.length !== 1 && JSON.stringify(said));
  }
  await check("faults on the console", faults.join("\n  "));
  await close(context);
}

/** Records what the browser would say. */
async function recordSpeech(context) {
  await context.addInitScript(() => {
    window.said = JSON.parse(sessionStorage.getItem("said") ?? "[]");
    window.speechSynthesis.speak = ({ text }) => {
      window.said.push(text);
      sessionStorage.setItem("said", JSON.stringify(window.said));
    };
  });
}

/** The owner asks for money on the page of the dashboard, with a voucher that the payer tells. */
export async function ask(owner) {
  const { page } = owner;
  await owner.goto("/ask");
  await page.locator("#phoneNumber").fill("0201234567");
  await page.locator("#amount").fill("GH₵ 20");
  await page.getByText("Add what it is for").click();
  await page.locator("#message").fill("<b>Kente");
  await page.getByRole("button", { name: "Ask for the money" }).click();
  await page.locator("#code").fill("654321");
  await page.getByRole("button", { name: "Confirm the payment" }).click();
  await page.getByText("Tries left: 4").waitFor();
  await page.locator("#code").fill("123456");
  await page.getByRole("button", { name: "Confirm the payment" }).click();
  await page.getByText("The operator has confirmed the payment").waitFor();
}

/** The owner pays one person: a question with sum and person comes first, and two clicks pay once. */
export async function pay(owner) {
  const { page } = owner;
  await owner.goto("/payouts/new");
  await page.locator("#phoneNumber").fill("0241234567");
  await page.locator("#name").fill("Kofi <b>Mensah");
  await page.locator("#amount").fill("1,000");
  await page.getByRole("button", { name: "Check before paying" }).click();
  await page.getByRole("heading", { name: "Pay GH₵1,000.00 to Kofi <b>Mensah?" }).waitFor();
  await page.getByRole("button", { name: "Change something" }).click();
  await page.locator("#amount").fill("12");
  await page.getByRole("button", { name: "Check before paying" }).click();
  await page.getByRole("button", { name: "Pay GH₵12.00 to Kofi <b>Mensah" }).dblclick();
  await page.waitForURL(/[?]done=payout-begun/);
  const { pathname } = new URL(page.url());
  const payout = pathname.split("/").pop();
  await check("a payout", (await call("GET", `/status/${payout}`)).amount !== 12 && "another amount");
  await check("a payout is paid", (await final(payout)) !== "SUCCESSFUL" && "it is not paid");
  await owner.goto("/payouts/new");
  await page.locator(`a[href$="to=${payout}"]`).click();
  await check("paid before", (await page.locator("#name").inputValue()) !== "Kofi <b>Mensah" && "another name");
}
