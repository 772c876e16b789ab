/*
 * The form before the WebAssembly: what the loader draws, and what the component takes over from it. In a page that
 * enforces Trusted Types, with a WebAssembly that comes late, never, or is refused.
 */
import test from "node:test";
import { join } from "node:path";
import { check } from "../check.mjs";
import { axe, origin, pictures } from "./stage.mjs";
import { json, session, transaction, visit } from "./visit.mjs";

const NUMBER = "[name=phoneNumber]";
const PAGE = "**/tests/looks/plain.html";
const is = (name, found, wanted) => check(name, JSON.stringify(found) !== JSON.stringify(wanted) && `${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);

/** Holds the WebAssembly back until `release` is called. */
function lateWasm() {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const prepare = (page) => page.route("**/*.wasm", async (route) => (await released, route.continue().catch(() => {})));
  return { prepare, release };
}

/** A visit whose component is not there yet. */
async function early(name, { answers = {}, clock = false, ...options } = {}) {
  const wasm = lateWasm();
  const own = options.prepare;
  const prepare = async (page) => (await wasm.prepare(page), await own?.(page));
  const visitor = await visit(name, { "GET /checkout": json(session()), ...answers }, { ...options, clock, prepare, isEarly: true });
  await visitor.page.locator(NUMBER).first().waitFor({ timeout: 10_000 }).catch(() => check(name, "no form is drawn"));
  return { ...visitor, release: wasm.release };
}

/** What the payer has in front of them. */
const form = (page) =>
  page.evaluate(() => {
    const { shadowRoot } = document.querySelector("tua-checkout");
    const visible = [...shadowRoot.querySelectorAll("section")].find((section) => section.checkVisibility());
    const field = visible.querySelector("[type=tel]");
    const focused = shadowRoot.activeElement;
    return {
      number: field?.value,
      network: visible.querySelector(":checked")?.value,
      focus: focused && (focused.type === "radio" ? focused.value : focused.name || focused.localName),
      caret: field && [field.selectionStart, field.selectionEnd],
    };
  });

const noShift = (page) =>
  page.evaluate(() => {
    window.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shift += value))).observe({ type: "layout-shift", buffered: true });
  });

/** Drawn in every language, readable by everybody, and nothing moves when the component and the session arrive. */
async function drawnInEveryLanguage() {
  for (const lang of ["en", "fr", "ar", "tw", "ee", "ha"]) {
    const name = `drawn form (${lang})`;
    let answer;
    const answered = new Promise((resolve) => (answer = resolve));
    const visitor = await early(name, { lang, answers: { "GET /checkout": async () => (await answered, json(session())) } });
    const { page } = visitor;
    await noShift(page);
    await check(`${name}, axe`, (await axe(page)).join("\n  "));
    const direction = await page.locator("tua-checkout section").evaluate((section) => getComputedStyle(section).direction);
    await is(`${name}, direction`, direction, lang === "ar" ? "rtl" : "ltr");
    const words = await page.locator("tua-checkout section").innerText();
    await check(`${name}, words`, /\{|undefined|form\./.test(words) && words);
    const size = () => page.locator("tua-checkout").boundingBox();
    const before = await size();
    await page.screenshot({ path: join(pictures, `drawn form, ${lang}.png`) });
    visitor.release();
    await visitor.takesOver();
    await is(`${name}, as tall as the component's`, await size(), before);
    answer();
    await page.locator(".tua-amount:not(:empty)").waitFor();
    await is(`${name}, as tall with the session`, await size(), before);
    await is(`${name}, layout shift`, await page.evaluate(() => window.shift), 0);
    await visitor.close();
  }
}

/** What was typed, chosen and focused, and where the caret stood. */
async function takenOver() {
  const name = "taken over";
  const visitor = await early(name);
  const { page } = visitor;
  await page.locator(NUMBER).fill("0241234567");
  await page.locator("[value=TELECEL]").check();
  await page.locator(NUMBER).focus();
  await page.locator(NUMBER).evaluate((field) => field.setSelectionRange(3, 5));
  const before = await form(page);
  await is(`${name}: before`, before, { number: "0241234567", network: "TELECEL", focus: "phoneNumber", caret: [3, 5] });
  visitor.release();
  await visitor.takesOver();
  await is(`${name}: after`, await form(page), before);
  await visitor.reads("Pay GH₵10.50");
  await is(`${name}: with the session`, await form(page), before);
  await page.keyboard.type("99");
  await is(`${name}: typed on`, (await form(page)).number, "0249934567");
  await visitor.close();
}

/** Whenever the component arrives while somebody types, each character is there. */
async function typedThroughout() {
  for (const after of [0, 1, 4, 9, 15]) {
    const name = `typed throughout, wasm after ${after} characters`;
    const visitor = await early(name);
    const { page } = visitor;
    await page.locator(NUMBER).focus();
    const text = "+233 (0)24-123 4567 89";
    for (const [place, character] of [...text].entries()) {
      if (place === after) visitor.release();
      await page.keyboard.type(character, { delay: 15 });
    }
    await visitor.takesOver();
    await visitor.reads("Pay GH₵10.50");
    await is(name, (await form(page)).number, text);
    await visitor.close();
  }
}

/** Yew pauses by setTimeout(…, 0) when 16 ms have passed (yew::scheduler). Here that is after every step, for 0.4 s. */
function slowRendering() {
  const { now } = Date;
  const { setTimeout } = window;
  let steps = 0;
  Date.now = () => now() + 20 * steps++;
  window.setTimeout = (run, delay, ...rest) => setTimeout(run, delay || 400, ...rest);
}

/** Yew lets the browser handle events when a rendering takes long: characters typed in such a pause are not lost. */
async function typedWhileRenderingIsSlow() {
  const name = "typed while rendering is slow";
  const visitor = await early(name, { script: slowRendering });
  const { page } = visitor;
  await page.locator(NUMBER).focus();
  await page.keyboard.type("024");
  visitor.release();
  await visitor.takesOver();
  await page.keyboard.type("1234567");
  // The hint shows that the component has processed the input.
  const hint = page.locator("[value=MTN]:checked");
  await hint.waitFor({ state: "attached", timeout: 10_000 }).catch(() => check(name, "the input was not processed"));
  await is(name, (await form(page)).number, "0241234567");
  await visitor.close();
}

/** An input method that is in the middle of a character is not interrupted. */
async function composing() {
  const name = "composing";
  const visitor = await early(name);
  const { page } = visitor;
  const fire = (type) => page.locator(NUMBER).first().evaluate((field, type) => field.dispatchEvent(new CompositionEvent(type, { bubbles: true })), type);
  await page.locator(NUMBER).fill("024");
  await fire("compositionstart");
  visitor.release();
  await page.waitForTimeout(1_500);
  await is(`${name}: the drawn form stays`, await page.locator("#tua-0-phone").count(), 1);
  await page.locator("#tua-0-phone").evaluate((field) => (field.value = "0245"));
  await fire("compositionend");
  await visitor.takesOver();
  await is(`${name}: then it is taken over`, (await form(page)).number, "0245");
  await visitor.close();
}

/** Pay that is pressed meanwhile waits, says so, and is sent once. */
async function payPressedEarly() {
  const name = "Pay before the wasm";
  let sent;
  const answers = { "POST /charge": (request) => ((sent = request.postDataJSON()), json(transaction(), 202)), "GET /status": () => new Promise(() => {}) };
  const visitor = await early(name, { answers });
  const { page } = visitor;
  await page.locator(NUMBER).fill("0241234567");
  await is(`${name}: the prefix suggests its network`, (await form(page)).network, "MTN");
  await page.locator(NUMBER).fill("+233 20");
  await is(`${name}: and another prefix another`, (await form(page)).network, "TELECEL");
  await page.locator("[value=AIRTELTIGO]").check();
  await page.locator(NUMBER).fill("0241234567");
  await is(`${name}: until the payer chooses one`, (await form(page)).network, "AIRTELTIGO");
  await page.locator("[value=MTN]").check();
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByRole("button", { name: "Waiting for the amount" }).click({ force: true });
  await is(`${name}: announced`, await page.locator("[role=status]").innerText(), "Waiting for the amount");
  await is(`${name}: what was sent stands there`, await page.locator(NUMBER).evaluate((field) => field.readOnly), true);
  await check(`${name}, axe`, (await axe(page)).join("\n  "));
  await is(`${name}: nothing sent`, visitor.asked, ["GET /checkout"]);
  await page.screenshot({ path: join(pictures, "drawn form, Pay pressed.png") });
  visitor.release();
  await visitor.reads("Approve on your phone");
  await is(`${name}: sent`, sent, { phoneNumber: "0241234567", network: "MTN", payerPays: 10.5 });
  await is(`${name}: once`, visitor.times("POST /charge"), 1);
  await visitor.close();
}

/** A number that is set without an event: the hint of the one before goes with it, and is not charged. */
async function hintOfAnotherNumber() {
  for (const isPaying of [false, true]) {
    const name = `hint of another number${isPaying ? ", Pay pressed" : ""}`;
    const visitor = await early(name, { answers: { "POST /charge": json(transaction(), 202), "GET /status": () => new Promise(() => {}) } });
    const { page } = visitor;
    await page.locator(NUMBER).fill("0241234567");
    await page.locator(NUMBER).evaluate((field) => (field.value = "0201234567"));
    if (isPaying) await page.getByRole("button", { name: "Pay" }).click();
    visitor.release();
    await visitor.takesOver();
    await visitor.reads("Pay GH₵10.50");
    const { number, network } = await form(page);
    await is(`${name}: taken over`, { number, network }, { number: "0201234567", network: "TELECEL" });
    await is(`${name}: not charged`, visitor.times("POST /charge"), 0);
    await page.locator(NUMBER).fill("0551234567");
    await is(`${name}: stays a hint`, (await form(page)).network, "MTN");
    await visitor.close();
  }
}

/** A hidden field that an extension inserts into the drawn form counts for nothing. */
async function decoy() {
  const visitor = await early("a decoy in the drawn form");
  const { page } = visitor;
  await page.locator(NUMBER).fill("0241234567");
  await page.locator(NUMBER).evaluate((field) => {
    const inserted = Object.assign(document.createElement("input"), { type: "tel", name: "phoneNumber", value: "0209999999", hidden: true });
    field.form.prepend(inserted);
  });
  visitor.release();
  await visitor.takesOver();
  await visitor.reads("Pay GH₵10.50");
  await is("a decoy in the drawn form", (await form(page)).number, "0241234567");
  await visitor.close();
}

/** Pay before the session: the component waits for it as well. */
async function payBeforeTheSession() {
  const name = "Pay before the session";
  let answer;
  const answered = new Promise((resolve) => (answer = resolve));
  const answers = { "GET /checkout": async () => (await answered, json(session())), "POST /charge": json(transaction(), 202), "GET /status": () => new Promise(() => {}) };
  const visitor = await early(name, { answers });
  visitor.release();
  await visitor.takesOver();
  await visitor.page.locator(NUMBER).fill("0241234567");
  await visitor.page.getByRole("button", { name: "Pay" }).click();
  await visitor.page.getByRole("button", { name: "Waiting for the amount" }).waitFor();
  await is(`${name}: nothing sent`, visitor.times("POST /charge"), 0);
  answer();
  await visitor.reads("Approve on your phone");
  await is(`${name}: once`, visitor.times("POST /charge"), 1);
  await visitor.close();
}

/** Faults of an early Pay are shown by the component; a network that nobody saw is not charged. */
async function payWithFaults() {
  for (const [number, words] of [["", "Enter your mobile money number."], ["0281234567", "Choose your network."]]) {
    const name = `Pay before the wasm, ${number || "nothing"} typed`;
    const visitor = await early(name);
    await visitor.page.locator(NUMBER).fill(number);
    await visitor.page.locator(NUMBER).press("Enter");
    visitor.release();
    await visitor.reads(words);
    await visitor.reads("Pay GH₵10.50");
    const { focus } = await form(visitor.page);
    await is(`${name}: focus`, focus, number ? "MTN" : "phoneNumber");
    await is(`${name}: nothing sent`, visitor.times("POST /charge"), 0);
    await visitor.close();
  }
}

/** Notes what the page posts to the hosted page, and answers it. */
function hosted(posts) {
  return (page) =>
    page.route("**/pay", async (route) => {
      const request = route.request();
      posts.push({ method: request.method(), path: new URL(request.url()).pathname + new URL(request.url()).search, form: Object.fromEntries(new URLSearchParams(request.postData() ?? "")) });
      await route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Hosted</title>" });
    });
}

const HANDED = { phoneNumber: "0241234567", network: "MTN", key: "tua_checkout_x", lang: "en" };

/** Without the WebAssembly the form leads to the hosted page with what was typed, by POST. */
async function neverComes() {
  const refuse = (page) => page.route("**/*.wasm", (route) => route.abort());
  for (const [name, { pressedFirst, passes, prepare }] of Object.entries({
    "a wasm that is refused": { prepare: refuse },
    "a wasm that never comes": { passes: 31 },
    "a wasm that never comes after Pay": { passes: 31, pressedFirst: true },
  })) {
    const posts = [];
    const visitor = await early(name, { clock: true, prepare: async (page) => (await hosted(posts)(page), await prepare?.(page)) });
    const { page } = visitor;
    await page.locator(NUMBER).fill("0241234567");
    await page.locator("[value=MTN]").check();
    if (pressedFirst) await page.getByRole("button", { name: "Pay" }).click();
    if (passes) await visitor.pass(passes);
    if (!pressedFirst) {
      await visitor.reads("The checkout could not start in this browser.");
      await is(`${name}: told`, await visitor.events(), ["tua-error:not_started"]);
      await check(`${name}, axe`, (await axe(page)).join("\n  "));
      await page.screenshot({ path: join(pictures, `${name}.png`) });
      await page.getByRole("button", { name: "Continue on the payment page" }).click();
    }
    await page.waitForURL("**/pay", { timeout: 10_000 }).catch(() => {});
    await is(`${name}: posted`, posts, [{ method: "POST", path: "/pay", form: HANDED }]);
    await visitor.close();
  }
}

/** A page whose policy lets no form out gets a link. */
async function formsRefused() {
  for (const isPressed of [false, true]) {
    const name = `a page that lets no form out, ${isPressed ? "Pay pressed" : "nothing pressed"}`;
    const prepare = async (page) => {
      await page.route("**/*.wasm", (route) => (isPressed ? setTimeout(() => route.abort().catch(() => {}), 2_000) : route.abort()));
      await page.route(PAGE, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: (await answer.text()).replace("frame-src", "form-action 'none'; frame-src") });
      });
    };
    const visitor = await early(name, { prepare });
    const { page } = visitor;
    await page.locator(NUMBER).fill("0241234567");
    if (isPressed) await page.getByRole("button", { name: "Pay" }).click();
    // Not clicked by the driver, which waits for the navigation that is refused.
    else await page.getByRole("button", { name: "Continue on the payment page" }).evaluate((button) => button.click());
    const link = page.getByRole("link", { name: "Continue on the payment page" });
    const href = await link.getAttribute("href", { timeout: 10_000 }).catch(() => "no link");
    await is(name, href, `${origin}/pay?key=tua_checkout_x`);
    await visitor.close();
  }
}

/** A page that removes the tag while it is typed into: everything ends, and another begins anew. */
async function removed() {
  const name = "removed while it is typed into";
  const visitor = await early(name, { answers: { "GET /checkout": () => new Promise(() => {}) } });
  const { page } = visitor;
  await page.locator(NUMBER).focus();
  await page.keyboard.type("024");
  await page.evaluate(() => {
    const checkout = document.querySelector("tua-checkout");
    checkout.shadowRoot.querySelector("form").requestSubmit();
    checkout.remove();
    window.removed = checkout;
  });
  await page.keyboard.type("1234567");
  visitor.release();
  await page.waitForTimeout(500);
  await is(`${name}: nothing is left`, await page.evaluate(() => window.removed.shadowRoot.querySelectorAll("div").length), 0);
  await is(`${name}: nothing is sent`, visitor.asked, ["GET /checkout"]);
  await page.evaluate(() => document.querySelector("main").append(window.removed));
  await visitor.takesOver();
  await is(`${name}: put back, it begins anew`, (await form(page)).number, "");
  await visitor.close();
}

/** After a reload of a tab that has begun to pay no form is drawn, not for a moment. */
async function begunTab() {
  const name = "a tab that has begun";
  let charge = null;
  const answers = {
    "GET /checkout": () => json(session({ transaction: charge })),
    "POST /charge": () => json((charge = transaction()), 202),
    "GET /status": () => new Promise(() => {}),
  };
  const visitor = await visit(name, answers, { clock: false });
  const { page } = visitor;
  await page.locator(NUMBER).fill("0241234567");
  await page.getByRole("button", { name: /^Pay/ }).click();
  await visitor.reads("Approve on your phone");
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage) + JSON.stringify(localStorage) + document.cookie);
  await check(`${name}: nothing of the payer is stored`, /0241234567|241234567|tua_checkout_/.test(kept) && kept);
  await page.addInitScript(() => {
    window.fields = 0;
    const look = () => {
      window.fields += document.querySelector("tua-checkout")?.shadowRoot?.querySelectorAll("[type=tel]").length ?? 0;
      requestAnimationFrame(look);
    };
    look();
  });
  await page.reload();
  await page.evaluate(() => window.put("tua_checkout_x"));
  await visitor.reads("Approve on your phone");
  await is(`${name}: no form`, await page.evaluate(() => window.fields), 0);
  charge = null;
  await page.evaluate(() => document.querySelector("tua-checkout").remove());
  await page.evaluate(() => window.put("tua_checkout_of_another_order"));
  await page.locator(NUMBER).waitFor({ timeout: 5_000 }).catch(() => check(name, "another token's form is not drawn"));
  await visitor.close();
}

/** Another token is another payment: nothing of what was typed or pressed for the one before goes to it. */
async function anotherToken() {
  const name = "another token while it is typed into";
  const tokens = [];
  const answers = { "GET /checkout": (request) => (tokens.push(request.headers().authorization), json(session())), "POST /charge": json(transaction(), 202) };
  const visitor = await early(name, { answers });
  const { page } = visitor;
  await page.locator(NUMBER).fill("0241234567");
  await page.locator("[value=MTN]").check();
  await page.getByRole("button", { name: "Pay" }).click();
  await page.evaluate(() => (document.querySelector("tua-checkout").token = "tua_checkout_y"));
  visitor.release();
  await visitor.takesOver();
  await visitor.reads("Pay GH₵10.50");
  await is(`${name}: an empty form`, (await form(page)).number, "");
  await is(`${name}: no charge`, visitor.times("POST /charge"), 0);
  await is(`${name}: one request for each`, tokens, ["Bearer tua_checkout_x", "Bearer tua_checkout_y"]);
  await visitor.close();
}

/** Another language redraws what is there; what was typed stays. */
async function changeLanguage(script) {
  const name = `another language while it is typed into${script ? ", rendering is slow" : ""}`;
  const visitor = await early(name, { script });
  const { page } = visitor;
  await page.locator(NUMBER).fill("024");
  await page.locator(NUMBER).focus();
  await page.evaluate(() => (document.querySelector("tua-checkout").lang = "fr"));
  await visitor.reads("Numéro mobile money");
  await is(`${name}: typed`, (await form(page)).number, "024");
  await is(`${name}: focused`, (await form(page)).focus, "phoneNumber");
  visitor.release();
  await visitor.takesOver();
  await visitor.reads("Payer");
  await is(`${name}: taken over`, (await form(page)).number, "024");
  await visitor.close();
}

const anotherLanguage = () => changeLanguage();
const anotherLanguageInSlowRendering = () => changeLanguage(slowRendering);

/** Two on one page keep apart what is typed into them. */
async function twoTags() {
  const name = "two tags";
  const visitor = await early(name, { answers: { "GET /checkout": (request) => json(session({ merchant: request.headers().authorization })) } });
  const { page } = visitor;
  await page.evaluate(() => window.put("tua_checkout_y"));
  const fields = page.locator(NUMBER);
  await fields.nth(1).fill("020");
  await fields.nth(0).fill("024");
  visitor.release();
  await page.locator(".tua-amount:not(:empty)").nth(1).waitFor();
  await is(name, [await fields.nth(0).inputValue(), await fields.nth(1).inputValue()], ["024", "020"]);
  await visitor.close();
}

/** With keys alone, before the component is there. */
async function byKeys() {
  const name = "keys in the drawn form";
  const visitor = await early(name);
  const { page } = visitor;
  await page.locator(NUMBER).focus();
  for (const [key, where] of [["Tab", "MTN"], ["ArrowDown", "TELECEL"], ["Tab", "pay"], ["Shift+Tab", "TELECEL"], ["Shift+Tab", "phoneNumber"]]) {
    await page.keyboard.press(key);
    const { focus } = await form(page);
    await is(`${name}: ${key}`, focus, where === "pay" ? "button" : where);
  }
  visitor.release();
  await visitor.takesOver();
  await is(`${name}: taken over`, await form(page), { number: "", network: "TELECEL", focus: "phoneNumber", caret: [0, 0] });
  await visitor.close();
}

export async function earlyForm() {
  for (const part of [drawnInEveryLanguage, takenOver, typedThroughout, typedWhileRenderingIsSlow, composing, payPressedEarly, hintOfAnotherNumber, decoy, payBeforeTheSession, payWithFaults, neverComes, formsRefused, removed, begunTab, anotherToken, anotherLanguage, anotherLanguageInSlowRendering, twoTags, byKeys]) await test(part.name, part);
}
