/*
 * Whatever a page, a network or a service may do: what is shown then, what is asked, what is never said. The
 * component is the one in pkg/, in a page without any trick; answers come from here.
 */
import test from "node:test";
import { check } from "../check.mjs";

import { json, refusal, session, transaction, visit } from "./visit.mjs";

const NUMBER = "[name=phoneNumber]";
const html = { status: 200, contentType: "text/html", body: "<!doctype html><title>Welcome to the hotel's Wi-Fi</title>" };

async function fillIn(page, number = "024 123 4567") {
  await page.locator(NUMBER).fill(number);
}

const never = (name, said) => check(`${name}: never a success`, said.some((event) => event.startsWith("tua-successful")) && said.join(", "));

/** A service that cannot be understood is not reached; nothing else is made of it. */
async function unreadableAnswers() {
  const cases = {
    "a service that is down": undefined,
    "a service that answers HTML": html,
    "a service that answers 500": refusal(500, "internal_error"),
    "a service that answers half a body": { ...json(session()), body: JSON.stringify(session()).slice(0, 90) },
    "a service that answers an empty body": { ...json({}), body: "" },
    "a session without an amount": json(session({ amount: null })),
    "a session whose amount is a word": json(session({ amount: "a lot" })),
  };
  for (const [name, answer] of Object.entries(cases)) {
    const visitor = await visit(name, { "GET /checkout": answer });
    for (let triesLeft = 8; triesLeft--; ) await visitor.pass(1);
    await visitor.reads("The checkout cannot be reached");
    await check(`${name}: asked three times`, visitor.times("GET /checkout") !== 3 && visitor.asked.join(", "));
    await check(`${name}: told once`, String(await visitor.events()) !== "tua-error:unreachable" && String(await visitor.events()));
    await visitor.close();
  }
}

/** A service that takes a connection and says nothing. */
async function slowAnswer() {
  const name = "a service that never answers";
  let answers = 0;
  const visitor = await visit(name, { "GET /checkout": () => (answers++ ? json(session()) : new Promise(() => {})) });
  await visitor.pass(39);
  await check(`${name}: is waited for`, answers !== 1 && `${answers} questions in 39 s`);
  await visitor.pass(2);
  await visitor.pass(2);
  await visitor.reads("Pay GH₵10.50");
  await visitor.close();
}

/** Too many requests: words of their own, which say to wait, and nothing asked before its time. */
async function tooMany() {
  const busy = refusal(429, "rate_limited", { "retry-after": "60" });
  const loading = await visit("429 to the session", { "GET /checkout": busy });
  await loading.reads("The service is busy. Wait a minute and try again.");
  await loading.pass(59);
  await check("429 to the session: asked no sooner than it says", loading.times("GET /checkout") !== 1 && loading.asked.join(", "));
  await loading.close();

  const paying = await visit("429 to a charge", { "GET /checkout": json(session()), "POST /charge": busy });
  await fillIn(paying.page);
  await paying.page.getByRole("button", { name: /^Pay/ }).click();
  await paying.reads("so this one was not sent. Wait a minute and try again.");
  await check("429 to a charge: not sent again by itself", paying.times("POST /charge") !== 1 && paying.asked.join(", "));
  await paying.close();

  const waiting = await visit("429 to a status", { "GET /checkout": json(session({ transaction: transaction() })), "GET /status": busy });
  await waiting.reads("The service is busy. Wait a little: your payment goes on, and we keep checking.");
  await waiting.pass(59);
  await check("429 to a status: asked no sooner than it says", waiting.times("GET /status") !== 1 && waiting.asked.join(", "));
  await never("429 to a status", await waiting.events());
  await waiting.close();
}

/** Words of a newer service, or of nobody's: still to be confirmed, or a failure without a reason. */
async function unknownWords() {
  const cases = [
    [transaction({ status: "REVERSED", nextAction: "NONE" }), "Confirming your payment"],
    [transaction({ status: "successful", nextAction: "NONE" }), "Confirming your payment"],
    [transaction({ status: null, nextAction: null }), "Confirming your payment"],
    [transaction({ nextAction: "SCAN_FACE" }), "Confirming your payment"],
    [transaction({ status: "FAILED", nextAction: "NONE", failure: { code: "solar_flare" } }), "The network gave no reason. No money was taken."],
    [transaction({ status: "FAILED", nextAction: "NONE" }), "The network gave no reason. No money was taken."],
  ];
  for (const [unknown, words] of cases) {
    const name = `${unknown.status}, ${unknown.nextAction}, ${unknown.failure?.code}`;
    const visitor = await visit(name, { "GET /checkout": json(session({ transaction: unknown })), "GET /status": json(unknown) });
    await visitor.reads(words);
    await never(name, await visitor.events());
    await visitor.close();
  }
}

/** Tokens: none, late, changed, removed, empty. */
async function tokens() {
  const answers = {
    "GET /checkout": (request) => {
      const token = request.headers().authorization.replace("Bearer ", "");
      return token === "foreign" ? refusal(401, "invalid_credentials") : json(session({ merchant: `Shop ${token}` }));
    },
  };
  const name = "a tag whose token comes, changes and goes";
  const { page, asked, reads, events, close } = await visit(name, answers, { token: null });
  const outline = () => page.locator("tua-checkout .tua-skeleton").waitFor({ timeout: 5_000 }).then(() => undefined, () => "no outline is shown");
  const set = (token) => page.evaluate((token) => (document.querySelector("tua-checkout").token = token), token);
  await check(`${name}: without one, an outline and no request`, (await outline()) ?? (asked.length > 0 && asked.join(", ")));
  await set("a");
  await reads("Shop a");
  await set("b");
  await reads("Shop b");
  await set("foreign");
  await reads("This payment link is not valid");
  await set("");
  await check(`${name}: an empty one is none`, await outline());
  await set("c");
  await reads("Shop c");
  await page.evaluate(() => document.querySelector("tua-checkout").removeAttribute("token"));
  await check(`${name}: removed`, await outline());
  await check(`${name}: one request for each`, asked.length !== 4 && asked.join(", "));
  await check(`${name}: events`, String(await events()) !== "tua-ready,tua-ready,tua-error:invalid_token,tua-ready" && String(await events()));
  const refused = await page.evaluate(() => window.mount("main", { token: "" }).catch((error) => error.message));
  await check("mount() without a token says what is wrong", !/needs a token/.test(refused) && refused);
  await close();
}

/** A page that may store nothing, not even look. */
async function forbiddenStorage() {
  const name = "a page without storage";
  const script = () => {
    const forbidden = { get() { throw new DOMException("denied", "SecurityError"); } };
    for (const store of ["localStorage", "sessionStorage", "indexedDB", "caches"]) Object.defineProperty(window, store, forbidden);
    Object.defineProperty(Document.prototype, "cookie", forbidden);
  };
  const visitor = await visit(name, { "GET /checkout": json(session()), "POST /charge": json(transaction(), 202), "GET /status": json(transaction({ status: "SUCCESSFUL", nextAction: "NONE" })) }, { script });
  await fillIn(visitor.page);
  await visitor.page.getByRole("button", { name: /^Pay/ }).click();
  await visitor.reads("Payment successful");
  await visitor.close();
}

/** The countdown is on the server's clock; only the server says expired. */
async function wrongClock() {
  for (const days of [-1, 1]) {
    const name = `a clock that is ${days} day off`;
    const script = `{ const now = Date.now.bind(Date); Date.now = () => now() + ${days * 86_400_000}; }`;
    const waiting = json(session({ transaction: transaction() }));
    const visitor = await visit(name, { "GET /checkout": waiting, "GET /status": () => new Promise(() => {}) }, { script, clock: false });
    await visitor.reads(/^2[45]:\d\d$/);
    await never(name, await visitor.events());
    await visitor.close();
  }
}

/** What can be pasted into the number, and what a script may put there. */
async function pastes() {
  const name = "a paste";
  let sent;
  const { page, reads, times, close } = await visit(name, { "GET /checkout": json(session()), "POST /charge": (request) => ((sent = request.postDataJSON()), json(transaction(), 202)), "GET /status": () => new Promise(() => {}) }, { clock: false });
  const pay = page.getByRole("button", { name: /^Pay/ });
  const paste = async (text) => {
    await page.locator(NUMBER).fill("");
    await page.keyboard.insertText(text);
  };
  await paste("2".repeat(10_000_000));
  await pay.click();
  await reads("Enter all 10 digits");
  // A script may put more into the field than the field lets a payer paste.
  const kept = await page.locator(NUMBER).evaluate(async (field) => {
    field.value = "2".repeat(10_000_000);
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return field.value.length;
  });
  await check("of 10 MB only what a payer could have typed is kept", kept > 600 && `${kept} characters`);
  await pay.click();
  await reads("Enter all 10 digits");
  await paste("024 😀 4567");
  await pay.click();
  await reads("Use digits only");
  await check("nothing was sent of all that", times("POST /charge") > 0 && "a charge was sent");
  await paste("+233 (0)24-123 4567");
  await pay.click();
  await reads("Approve on your phone");
  await check("a number as letterheads write it", sent?.phoneNumber !== "0241234567" && JSON.stringify(sent));
  await close();
}

/** However often and by whatever the button is pressed. */
async function manyClicks() {
  for (const clickCount of [2, 3]) {
    const name = `${clickCount} clicks`;
    const visitor = await visit(name, { "GET /checkout": json(session()), "POST /charge": json(transaction(), 202), "GET /status": () => new Promise(() => {}) });
    await fillIn(visitor.page);
    const pay = visitor.page.getByRole("button", { name: /^Pay/ });
    await pay.click({ clickCount });
    await visitor.reads("Approve on your phone");
    await check(`${name}: one charge`, visitor.times("POST /charge") !== 1 && visitor.asked.join(", "));
    await visitor.close();
  }
}

/** Out of the back and forward cache: looked at once, and once only. */
async function comesBack() {
  const name = "a page out of the cache";
  let status = transaction();
  const visitor = await visit(name, { "GET /checkout": json(session({ transaction: transaction() })), "GET /status": (request) => (request.headers().prefer && status.status === "PENDING" ? new Promise(() => {}) : json(status)) });
  await visitor.reads("Approve on your phone");
  const hide = (hidden) => visitor.page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
    document.dispatchEvent(new Event("visibilitychange"));
    if (!hidden) dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  }, hidden);
  await hide(true);
  await visitor.pass(600);
  const before = visitor.times("GET /status");
  await visitor.pass(600);
  await check(`${name}: asks nothing while it is away`, visitor.times("GET /status") !== before && visitor.asked.join(", "));
  status = transaction({ status: "SUCCESSFUL", nextAction: "NONE" });
  await hide(false);
  await visitor.reads("Payment successful");
  await check(`${name}: one question`, visitor.times("GET /status") !== before + 1 && visitor.asked.join(", "));
  await check(`${name}: told once`, String(await visitor.events()) !== "tua-ready,tua-pending,tua-successful" && String(await visitor.events()));
  await visitor.close();
}

/** The receipt alone goes to the printer; the page around stays as it is. */
async function printing() {
  const script = () => {
    window.print = () => {
      top.printed = { words: document.body.innerText, isTop: window === top };
      dispatchEvent(new Event("afterprint"));
    };
  };
  const visitor = await visit("printing", { "GET /checkout": json(session({ status: "PAID", transaction: transaction({ status: "SUCCESSFUL", nextAction: "NONE" }) })) }, { script });
  await visitor.page.getByRole("button", { name: "Print receipt" }).click();
  await visitor.page.waitForFunction(() => window.printed);
  const { words, isTop } = await visitor.page.evaluate(() => window.printed);
  await check("printing: not the whole page", (isTop || /A shop/.test(words)) && words);
  for (const part of ["Payment successful", "Amount", "INV-1", "567"]) await check(`printing: ${part}`, !words.includes(part) && words);
  await check("printing: leaves nothing behind", (await visitor.page.locator("tua-checkout iframe").count()) > 0 && "its frame is still there");
  await visitor.close();
}

export async function badInput() {
  for (const part of [unreadableAnswers, slowAnswer, tooMany, unknownWords, tokens, forbiddenStorage, wrongClock, pastes, manyClicks, comesBack, printing]) await test(part.name, part);
}
