/*
 * A page that changes under the component: translators, extensions, password managers, and a WebAssembly that fails. On
 * every screen the payer sees what happens next, and what the fields show is what is sent.
 */
import test from "node:test";
import { check } from "../check.mjs";

import { json, session, transaction, visit } from "./visit.mjs";

const NUMBER = "[name=phoneNumber]";
const paid = transaction({ status: "SUCCESSFUL", nextAction: "NONE" });
const failure = transaction({ status: "FAILED", nextAction: "NONE", failure: { code: "wrong_pin" } });
const code = transaction({ nextAction: "ENTER_VOUCHER", network: "TELECEL" });

/** What others do to the nodes below the element: each runs inside the page, again and again. */
const CHANGES = {
  /* Google Translate: each text is put into two elements. */
  "texts are wrapped": (texts) => texts.forEach((text) => {
    if (text.parentNode.localName === "font") return;
    const outer = document.createElement("font");
    text.replaceWith(outer);
    outer.appendChild(document.createElement("font")).append(text);
  }),
  /* Google Translate, when it has a translation: the component's text leaves the page. */
  "texts are replaced": (texts) => texts.forEach((text) => {
    if (text.parentNode.localName === "font") return;
    const outer = document.createElement("font");
    outer.appendChild(document.createElement("font")).textContent = `[${text.data}]`;
    text.replaceWith(outer);
  }),
  /* Bilingual translators: the translation follows the text. */
  "translations are appended": (texts) => texts.forEach((text) => {
    if (text.parentNode.localName === "font" || text.nextSibling?.localName === "font") return;
    text.after(Object.assign(document.createElement("font"), { textContent: `[${text.data}]` }));
  }),
  "texts are removed": (texts) => texts.forEach((text) => text.remove()),
  "elements are inserted everywhere": (_, section) => {
    for (const element of section.querySelectorAll("div, form, fieldset, dl, button, section")) {
      if (!element.querySelector(":scope > i")) element.prepend(document.createElement("i"));
      element.append(document.createElement("i"));
    }
  },
  "headings, notes and facts are removed": (_, section) => section.querySelectorAll("h2, p, dl, svg").forEach((element) => element.remove()),
  "fields are wrapped": (_, section) => section.querySelectorAll("input, button").forEach((field) => {
    if (field.parentNode.localName === "i") return;
    const wrapper = document.createElement("i");
    field.replaceWith(wrapper);
    wrapper.append(field);
  }),
  "the whole checkout is removed": (_, section) => section.remove(),
  "the whole checkout is replaced by its copy": (_, section) => section.replaceWith(section.cloneNode(true)),
  "all that it shows is removed": (_, section) => section.replaceChildren(),
  "all that it shows is replaced by a copy": (_, section) => section.replaceChildren(...section.cloneNode(true).childNodes),
  "what contains it is removed": (_, section) => section.parentNode.remove(),
  "what contains that is removed": (_, section) => section.parentNode.parentNode.remove(),
  "the shadow root is emptied": (_, section) => section.getRootNode().replaceChildren(),
};

/** Those that take the fields away, until the next second. */
const TAKES_ALL = /^changed page: (the whole|all that|what contains|the shadow root)/;

/** Applies a change to what is shown, inside the page. */
const apply = (page, change) =>
  page.evaluate((change) => {
    const section = document.querySelector("tua-checkout").shadowRoot.querySelector("div > div:not([hidden]) > section");
    if (!section) return;
    const texts = [];
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
    new Function(`return ${change}`)()(texts, section);
  }, String(change));

const shown = (page) => page.evaluate(() => document.querySelector("tua-checkout").shadowRoot.querySelector("div > div:not([hidden])")?.innerText ?? "");

/** A payment with a change on every screen, whose answers come one after the other. */
async function throughEveryScreen(name, change) {
  let status = transaction();
  const visitor = await visit(name, {
    "GET /checkout": json(session()),
    "POST /charge": () => json(status, 202),
    "POST /submit-otp": () => json(status),
    "GET /status": () => json(status),
  });
  const { page, reads, pass, close } = visitor;
  const next = async (after) => {
    status = after;
    await pass(12);
  };
  const isGone = TAKES_ALL.test(name);
  const areTextsKept = name.includes("wrapped") || name.includes("inserted");
  if (isGone || name.includes("removed") === false) await apply(page, change);
  if (!isGone) await page.locator(NUMBER).fill("024 12");
  if (!isGone) await page.locator("[type=submit]").first().click();
  if (!isGone && !name.includes("removed")) await reads("Enter all 10 digits");
  await apply(page, change);
  await pass(2);
  await page.locator(NUMBER).fill("024 123 4567");
  await page.locator("[type=submit]").first().click();
  await reads("Approve on your phone");
  for (const [after, words] of [[code, "Enter your voucher code"], [transaction({ nextAction: "WAIT" }), "Confirming your payment"], [transaction(), "Approve on your phone"], [failure, "Payment not completed"]]) {
    await apply(page, change);
    await pass(2);
    await apply(page, change);
    await next(after);
    await reads(words);
  }
  await apply(page, change);
  if (isGone) await pass(2);
  const screens = await page.locator("tua-checkout section").locator("visible=true").count();
  await check(`${name}: one screen`, screens !== 1 && `there are ${screens}`);
  if (areTextsKept) await check(`${name}: nothing of the screen before is left`, /Approve on your phone/.test(await shown(page)) && (await shown(page)));
  status = paid;
  await page.locator("[name=again], [name=change]").first().click({ timeout: 5_000 }).catch(() => {});
  await pass(12);
  await close();
}

async function translators() {
  for (const [what, change] of Object.entries(CHANGES)) {
    const name = `changed page: ${what}`;
    await test(name, () => throughEveryScreen(name, change));
  }
}

/** The page removes the checkout between the component's look at its nodes and the drawing that follows. */
async function removedBeforeADrawing() {
  const name = "changed page: removed before a drawing";
  let status = transaction();
  const visitor = await visit(name, { "GET /checkout": json(session({ transaction: transaction(), accent: "#123456" })), "GET /status": () => json(status) });
  const { page, reads, pass, close } = visitor;
  await reads("Approve on your phone");
  await page.evaluate(() => {
    const { contains } = Node.prototype;
    Node.prototype.contains = function (node) {
      const isContained = contains.call(this, node);
      if (this.matches("[part=checkout]")) {
        Node.prototype.contains = contains;
        this.remove();
      }
      return isContained;
    };
  });
  status = paid;
  await pass(12);
  await reads("Payment successful");
  await close();
}

/** A text that changes on one screen shows its new value, also after a translator has replaced it. */
async function countdown() {
  const name = "changed page: countdown";
  const visitor = await visit(name, { "GET /checkout": json(session({ transaction: transaction() })), "GET /status": () => new Promise(() => {}) });
  const { page, reads, pass, close } = visitor;
  await reads(/^2[45]:\d\d$/);
  await apply(page, CHANGES["texts are replaced"]);
  const timer = page.locator("[role=timer]");
  const before = await timer.innerText();
  await pass(5);
  const after = await timer.innerText();
  await check(`${name}: goes on`, (after === before || !/^2[45]:\d\d$/.test(after)) && `${before}, then ${after}`);
  for (const part of [".tua-amount", ".tua-merchant", "[role=timer]", "dd bdi"]) {
    const isMarked = await page.locator(part).first().evaluate((element) => element.translate === false);
    await check(`${name}: no translator changes ${part}`, !isMarked && "it is not marked");
  }
  await close();
}

/** Values without an event: what the fields show is charged, and no rendering empties them. */
async function valuesWithoutEvents() {
  const name = "a value without an event";
  let sent;
  let answerSession;
  const answered = new Promise((resolve) => (answerSession = resolve));
  const visitor = await visit(name, {
    "GET /checkout": async () => (await answered, json(session())),
    "POST /charge": (request) => ((sent = request.postDataJSON()), json(code, 202)),
    "POST /submit-otp": (request) => ((sent = request.postDataJSON()), json(paid)),
    "GET /status": () => new Promise(() => {}),
  });
  const { page, reads, pass, close } = visitor;
  const set = (selector, value) => page.locator(selector).evaluate((field, value) => (field.value = value), value);
  await set(NUMBER, "020 123 4567");
  answerSession();
  await reads("Pay GH₵10.50");
  await check(`${name}: is kept when the session arrives`, (await page.locator(NUMBER).inputValue()) !== "020 123 4567" && (await page.locator(NUMBER).inputValue()));
  await pass(2);
  await check(`${name}: suggests its network`, !(await page.locator("[value=TELECEL]").isChecked()) && "no network is chosen");
  await page.locator(NUMBER).fill("024 123 4567");
  await set(NUMBER, "055 987 6543");
  await page.locator("[type=submit]").click();
  await reads("Enter your voucher code");
  await check(`${name}: is charged`, JSON.stringify(sent).includes("0559876543") === false && JSON.stringify(sent));
  await set("[name=otp]", "654 321");
  await pass(2);
  await page.locator("[type=submit]").first().click();
  await reads("Payment successful");
  await check(`${name}: is the code that is sent`, sent.otp !== "654321" && JSON.stringify(sent));
  await close();

  const unseen = await visit(`${name} at Pay`, { "GET /checkout": json(session()), "POST /charge": (request) => ((sent = request.postDataJSON()), json(transaction(), 202)), "GET /status": () => new Promise(() => {}) });
  sent = undefined;
  await unseen.page.locator(NUMBER).evaluate((field) => {
    field.value = "024 123 4567";
    field.form.requestSubmit();
  });
  await unseen.reads("Choose your network.");
  await check(`${name} at Pay: no network is charged that was not shown`, sent && JSON.stringify(sent));
  await unseen.page.locator("[type=submit]").click();
  await unseen.reads("Approve on your phone");
  await check(`${name} at Pay: the suggestion is charged then`, sent?.network !== "MTN" && JSON.stringify(sent));
  await unseen.close();
}

/** Hidden fields and choices that an extension inserts, and another type or class of ours: what the payer sees is charged. */
async function decoys() {
  const insert = (page, attributes, copied) =>
    page.locator("tua-checkout form").first().evaluate((form, [attributes, copied]) => {
      const decoy = copied ? form.querySelector(copied).cloneNode() : document.createElement("input");
      form.prepend(Object.assign(decoy, attributes));
      decoy.style.display = "none";
    }, [attributes, copied]);
  const CASES = {
    "an unnamed field": (page) => insert(page, { type: "tel", value: "0209999999" }),
    "a field of the same name": (page) => insert(page, { type: "tel", name: "phoneNumber", value: "0209999999" }),
    "a copy of the field": (page) => insert(page, { value: "0209999999" }, "[name=phoneNumber]"),
    "a checked box": (page) => insert(page, { type: "checkbox", checked: true, value: "TELECEL" }),
    "a checked choice": (page) => insert(page, { type: "radio", name: "n", checked: true, value: "TELECEL" }),
    "another type": (page) => page.locator("#tua-1-phone").evaluate((field) => (field.type = "text")),
    "another class": (page) => page.locator("tua-checkout input").evaluateAll((fields) => fields.forEach((field) => (field.className = "x"))),
  };
  for (const [what, change] of Object.entries(CASES)) {
    const name = `decoys, ${what}`;
    const sent = [];
    const visitor = await visit(name, {
      "GET /checkout": json(session()),
      "POST /charge": (request) => (sent.push(request.postDataJSON()), json(code, 202)),
      "POST /submit-otp": (request) => (sent.push(request.postDataJSON()), json(paid)),
      "GET /status": () => new Promise(() => {}),
    });
    const { page, reads, pass, close } = visitor;
    const number = page.locator("#tua-1-phone:visible");
    await reads("Pay GH₵10.50");
    await number.fill("024 123 4567");
    await change(page);
    await pass(2);
    await page.locator("[type=submit]").click();
    await reads("Enter your voucher code");
    await check(`${name}: charged as shown`, (sent[0]?.phoneNumber !== "0241234567" || sent[0].network !== "MTN") && JSON.stringify(sent));
    await insert(page, { type: "tel", value: "999999", className: "tua-code" });
    await page.locator("#tua-1-code").evaluate((field) => (field.className = "x"));
    await page.locator("#tua-1-code").fill("654 321");
    await pass(2);
    await page.locator("[type=submit]").first().click();
    await reads("Payment successful");
    await check(`${name}: the code as shown`, sent[1]?.otp !== "654321" && JSON.stringify(sent));
    await close();
  }
}

/** A hint of the number before is not charged for a number that came without an event. */
async function hintOfAnotherNumber() {
  const name = "a hint of another number";
  let sent;
  const visitor = await visit(name, { "GET /checkout": json(session()), "POST /charge": (request) => ((sent = request.postDataJSON()), json(transaction(), 202)), "GET /status": () => new Promise(() => {}) });
  const { page, reads, close } = visitor;
  await page.locator(NUMBER).fill("024 123 4567");
  await page.locator(NUMBER).evaluate((field) => {
    field.value = "020 123 1007";
    field.form.requestSubmit();
  });
  await reads("Choose your network.");
  await check(`${name}: is not charged`, sent && JSON.stringify(sent));
  await page.locator("[type=submit]").click();
  await reads("Approve on your phone");
  await check(`${name}: its own is`, sent?.network !== "TELECEL" && JSON.stringify(sent));
  await close();
}

/** The next creation of an element from an earlier one throws, so that Yew panics. */
const breakNextDrawing = (page, times = 1) =>
  page.evaluate((times) => {
    const { cloneNode } = Node.prototype;
    Node.prototype.cloneNode = function (...args) {
      if (times-- > 0) throw new Error("broken by the page");
      Node.prototype.cloneNode = cloneNode;
      return cloneNode.apply(this, args);
    };
  }, times);

/** A page whose errors are expected. */
const quiet = { prepare: (page) => page.removeAllListeners("pageerror") };

/** A panic while waiting: the checkout is drawn anew, and shows the outcome. */
async function failsWhileWaiting() {
  const name = "a panic while waiting";
  let status = transaction();
  let checkout = session({ transaction: transaction() });
  const visitor = await visit(name, { "GET /checkout": () => json(checkout), "GET /status": () => json(status) }, quiet);
  const { page, reads, pass, events, close } = visitor;
  await reads("Approve on your phone");
  await breakNextDrawing(page);
  status = paid;
  checkout = session({ status: "PAID", transaction: paid });
  await pass(12);
  await reads("Payment successful");
  const told = String(await events());
  await check(`${name}: each event once`, told !== "tua-ready,tua-pending,tua-successful" && told);
  await close();
}

/** A panic in the form: what was typed stays, and the payment can be made. */
async function failsInTheForm() {
  const name = "a panic in the form";
  let sent;
  const visitor = await visit(name, { "GET /checkout": json(session()), "POST /charge": (request) => ((sent = request.postDataJSON()), json(transaction(), 202)), "GET /status": () => new Promise(() => {}) }, quiet);
  const { page, reads, close } = visitor;
  await page.locator("[value=TELECEL]").check();
  await page.locator(NUMBER).fill("024 12");
  await breakNextDrawing(page);
  await page.locator("[type=submit]").click();
  await page.waitForFunction(() => document.querySelector("tua-checkout").shadowRoot.querySelector("div > div:not([hidden]) > section .tua-amount:not(:empty)"), null, { polling: 50, timeout: 10_000 }).catch(() => check(name, "no form is drawn anew"));
  await check(`${name}: the number stays`, (await page.locator(NUMBER).inputValue()) !== "024 12" && (await page.locator(NUMBER).inputValue()));
  await check(`${name}: the network stays`, !(await page.locator("[value=TELECEL]").isChecked()) && "it is not chosen");
  await page.locator(NUMBER).fill("024 123 4567");
  await page.locator("[type=submit]").click();
  await reads("Approve on your phone");
  await check(`${name}: charged as shown`, sent?.network !== "TELECEL" && JSON.stringify(sent));
  await close();
}

/** Where it fails again and again, the payer gets the way to the hosted page. */
async function failsAlways() {
  const name = "a panic in every drawing";
  let status = transaction();
  const visitor = await visit(name, { "GET /checkout": json(session({ transaction: transaction() })), "GET /status": () => json(status) }, quiet);
  const { page, pass, close } = visitor;
  await visitor.reads("Approve on your phone");
  await breakNextDrawing(page, 1_000);
  status = paid;
  await pass(12);
  const link = page.locator("tua-checkout a[href*='/pay?key=']");
  const isThere = await link.waitFor({ timeout: 10_000 }).then(() => true, () => false);
  await check(`${name}: a link to the hosted page`, !isThere && (await page.locator("tua-checkout").innerHTML()));
  await close();
}

/** A browser that cannot print gets no button for it. */
async function cannotPrint() {
  const script = () => (window.print = undefined);
  const visitor = await visit("a browser without print()", { "GET /checkout": json(session({ status: "PAID", transaction: paid })) }, { script });
  await visitor.reads("Copy receipt");
  await check("a browser without print(): no button", (await visitor.page.getByRole("button", { name: "Print receipt" }).count()) > 0 && "the button is there");
  await visitor.close();
}

export async function changedPages() {
  for (const part of [translators, removedBeforeADrawing, countdown, valuesWithoutEvents, decoys, hintOfAnotherNumber, failsWhileWaiting, failsInTheForm, failsAlways, cannotPrint]) await test(part.name, part);
}
