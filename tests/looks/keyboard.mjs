/*
 * A payer with nothing but keys, and one who only hears: where the focus is after every key, that it can be seen, and
 * how often what is announced.
 */
import test from "node:test";
import { check } from "../check.mjs";
import { close, open } from "./stage.mjs";

/** Where the focus is, whether a ring shows it, and all that was announced since the last time. */
function state() {
  const { shadowRoot } = document.querySelector("tua-checkout");
  const focused = shadowRoot.activeElement;
  const root = shadowRoot.querySelector("section");
  const style = focused && getComputedStyle(focused);
  const ring = style && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const name = !focused ? "" : focused === root ? "the screen" : (focused.value && focused.type === "radio" ? focused.value : focused.name || focused.form?.getAttribute("name") || focused.localName);
  return { name, ring, said: window.said.splice(0) };
}

/** Notes whatever a screen reader would read out of itself: what comes into a live region. */
function listen() {
  window.said = [];
  const { shadowRoot } = document.querySelector("tua-checkout");
  const note = () => {
    for (const region of shadowRoot.querySelectorAll("[role=status], [role=alert]")) {
      const words = region.textContent;
      if (words && region.saidLast !== words) window.said.push(words);
      region.saidLast = words;
    }
  };
  note();
  window.said.length = 0;
  new MutationObserver(note).observe(shadowRoot, { subtree: true, childList: true, characterData: true });
}

/** What the payer's keys meet; answers follow each other. */
function answer() {
  const { fetch } = window;
  const json = (body, status = 200) => new Response(JSON.stringify(body), { status, headers: { date: new Date().toUTCString() } });
  const session = { checkoutId: "c", reference: "INV-1", amount: 10.5, currency: "GHS", merchant: "Adom Stores", mode: "live", status: "OPEN", attemptsLeft: 5, transaction: null, returnUrl: null, expiresAt: new Date(Date.now() + 1_500_000).toISOString() };
  const charge = { transactionId: "t", status: "PENDING", network: "TELECEL", phoneNumber: "*******567", nextAction: "ENTER_VOUCHER", failure: null };
  const failed = { ...charge, status: "FAILED", nextAction: "NONE", failure: { code: "insufficient_funds" } };
  const codes = [{ ...charge, codeAttemptsLeft: 4 }, failed];
  window.fetch = (input, init) => {
    const { pathname } = new URL(input.url ?? input, location);
    if (!pathname.startsWith("/v1/")) return fetch(input, init);
    if (pathname.endsWith("/checkout")) return Promise.resolve(json(session));
    if (pathname.endsWith("/charge")) return Promise.resolve(json(charge, 202));
    if (pathname.endsWith("/submit-otp")) return Promise.resolve(json(codes.shift()));
    return new Promise(() => {});
  };
}

/** From the form to an outcome and back, without a pointer. */
async function walk() {
  const page = await open("keys");
  await page.evaluate(answer);
  await page.evaluate(async () => {
    const before = Object.assign(document.createElement("button"), { textContent: "before" });
    const checkout = Object.assign(document.createElement("tua-checkout"), { token: "keys", lang: "en" });
    const after = Object.assign(document.createElement("button"), { textContent: "after" });
    document.querySelector("#stage").replaceChildren(before, checkout, after);
    before.focus();
    while (!checkout.shadowRoot.querySelector(".tua-amount:not(:empty)")) await new Promise((resolve) => setTimeout(resolve, 10));
  });
  await page.evaluate(listen);
  const isOutside = () => page.evaluate(() => document.activeElement.localName === "button");
  await check("keys: a checkout that loads takes no focus", !(await isOutside()) && "it did");

  /** Presses a key, and looks where that led. */
  const press = async (key, where, said = []) => {
    await page.keyboard.press(key);
    // Until what it started has been drawn, and announced if it is to be.
    let found = await page.evaluate(state);
    const heard = [...found.said];
    for (let triesLeft = 100; triesLeft-- && (found.name !== where || heard.length < said.length); ) {
      await page.waitForTimeout(20);
      found = await page.evaluate(state);
      heard.push(...found.said);
    }
    const name = `keys: ${key} leads to ${where}`;
    await check(name, found.name !== where && `the focus is at ${found.name || "nothing of ours"}`);
    // The screen itself is only read out; what can be used shows where it is.
    if (where && where !== "the screen") await check(`${name}, seen`, !found.ring && "there is no ring around it");
    const isSaid = heard.length === said.length && said.every((words, at) => heard[at].includes(words));
    await check(`${name}, heard`, !isSaid && `announced was ${JSON.stringify(heard)}`);
  };
  const type = async (text) => {
    await page.keyboard.type(text);
    await page.waitForTimeout(50);
  };

  await press("Tab", "phoneNumber");
  await press("Tab", "MTN");
  await press("Tab", "pay");
  await press("Tab", "");
  await press("Shift+Tab", "pay");
  await press("Shift+Tab", "MTN");
  await press("Shift+Tab", "phoneNumber");
  await type("02412");
  await press("Enter", "phoneNumber", ["Enter all 10 digits"]);
  const fault = page.locator("[name=phoneNumber]");
  await check("keys: the fault belongs to its field", (await fault.getAttribute("aria-invalid")) !== "true" && "aria-invalid is not set");
  const described = await fault.evaluate((field) => field.getRootNode().getElementById(field.getAttribute("aria-describedby"))?.textContent);
  await check("keys: the fault says what to do", !/Enter all 10 digits/.test(described) && described);
  await type("34567");
  // The prefix has hinted at a network, so that one is where Tab leads.
  await press("Tab", "MTN");
  await press("ArrowRight", "TELECEL");
  await press("ArrowRight", "AIRTELTIGO");
  await press("ArrowLeft", "TELECEL");
  await press("Tab", "pay");
  await press("Space", "the screen", ["Sending the request", "Enter your voucher code"]);
  await press("Tab", "otp");
  await type("0000");
  await press("Enter", "otp", ["Checking the code", "That code was not right. Tries left: 4"]);
  await type("123456");
  await press("Tab", "code");
  await press("Enter", "the screen", ["Checking the code", "Payment not completed. There is not enough money in this wallet."]);
  await press("Tab", "again");
  await press("Tab", "change");
  await press("Enter", "phoneNumber");
  await check("keys: what was typed is still there", (await page.locator("[name=phoneNumber]").inputValue()) !== "0241234567" && "the number is gone");
  await press("Tab", "TELECEL");
  await press("Tab", "pay");
  await press("Enter", "the screen", ["Sending the request", "Enter your voucher code"]);
  await close(page.context());
}

/** Ten minutes of waiting: the clock is drawn every second and read out twice. */
async function tenMinutes() {
  const page = await open("ten minutes", {}, { before: (page) => page.clock.install() });
  await page.evaluate(() => {
    // The stage's clock stands still; this one runs.
    window.Date = Object.getPrototypeOf(window.Date);
  });
  await page.evaluate(() => {
    const soon = new Date(Date.now() + 590_000).toISOString();
    const transaction = { transactionId: "t", status: "PENDING", network: "MTN", phoneNumber: "*******567", nextAction: "APPROVE_ON_PHONE" };
    const session = { checkoutId: "c", reference: "r", amount: 1, currency: "GHS", merchant: "Adom Stores", status: "OPEN", attemptsLeft: 4, expiresAt: soon, transaction };
    const { fetch } = window;
    window.fetch = (input, init) => {
      const { pathname } = new URL(input.url ?? input, location);
      if (!pathname.startsWith("/v1/")) return fetch(input, init);
      if (!pathname.endsWith("/checkout")) return new Promise(() => {});
      return Promise.resolve(new Response(JSON.stringify(session), { headers: { date: new Date().toUTCString() } }));
    };
    document.querySelector("#stage").replaceChildren(Object.assign(document.createElement("tua-checkout"), { token: "t", lang: "en" }));
  });
  await page.getByText("Approve on your phone").last().waitFor();
  await page.evaluate(listen);
  const shown = new Set();
  for (let tens = 0; tens < 59; tens++) {
    await page.clock.runFor(10_000);
    shown.add(await page.locator("[role=timer]").innerText());
  }
  const { said } = await page.evaluate(state);
  await check("ten minutes: the clock is drawn", shown.size < 55 && `${[...shown]}`);
  const times = said.filter((words) => /Time left/.test(words));
  await check("ten minutes: read out twice", String(times.map((words) => words.slice(-4))) !== "5:00,1:00" && JSON.stringify(said));
  await check("ten minutes: little else", said.length > 3 && JSON.stringify(said));
  await close(page.context());
}

export async function byKeyboard() {
  for (const part of [walk, tenMinutes]) await test(part.name, part);
}
