/*
 * Elements of a page, found again for each action, as Playwright's locators are: an action waits until there is one.
 */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { ELEMENT, TIMEOUT_MS } from "./session.mjs";

const FIND = readFileSync(new URL("find.js", import.meta.url), "utf8");
const GAP_MS = 50;
const SHOW = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";

/* Marks the document, and returns whether a click leads to another one. */
const MARK = `window.isBeforeClick = true;
  return arguments[0].matches("a[href]:not([href^='#']), form button:not([type=button]), form input[type=submit]")`;
const IS_LOADED = "return !window.isBeforeClick && document.readyState === 'complete'";

/* How long a click may take until its page is loaded. A script may have taken the click, so this is no fault. */
const LOAD_MS = 5_000;

/* What passes while a page is loaded or drawn. */
const TRANSIENT = ["no such element", "stale element reference", "element not interactable", "element click intercepted", "javascript error", "no such frame"];

/** Repeats an action while it fails with an error that passes, or returns `undefined`. `what` returns what is waited for. */
export async function until(what, action) {
  const deadline = Date.now() + TIMEOUT_MS;
  let fault = "";
  do {
    try {
      const done = await action();
      if (done !== undefined) return done;
    } catch (error) {
      if (!TRANSIENT.includes(error.name)) throw error;
      fault = `: ${error.message}`;
    }
    await pause(GAP_MS);
  } while (Date.now() < deadline);
  throw new Error(`timed out: ${what()}${fault}`);
}

/** Starting points of locators, which a page and a locator have. */
export class Scope {
  locator(css, { hasText } = {}) {
    return this.with({ css, hasText });
  }

  getByRole(role, { name, exact = false }) {
    return this.with({ role, name, exact });
  }

  getByLabel(label) {
    return this.with({ label });
  }

  getByText(text) {
    return this.with({ text });
  }
}

export class Locator extends Scope {
  #page;
  #steps;

  constructor(page, steps) {
    super();
    this.#page = page;
    this.#steps = steps;
  }

  with(step) {
    return new Locator(this.#page, [...this.#steps, step]);
  }

  first() {
    return this.with({ at: 0 });
  }

  last() {
    return this.with({ at: -1 });
  }

  /** Nothing while another page is loaded: Firefox answers `null` then. */
  async #all() {
    return (await this.#page.execute(FIND, this.#steps)) ?? [];
  }

  /** Does something with the only element, once there is one. Several are a fault of the test. */
  #one(action) {
    return until(() => `one ${JSON.stringify(this.#steps)} at ${this.#page.lastUrl}`, async () => {
      const found = await this.#all();
      if (found.length > 1) throw new Error(`${found.length} elements are ${JSON.stringify(this.#steps)}`);
      return found.length === 1 ? ((await action(found[0])) ?? null) : undefined;
    });
  }

  #read(script, ...args) {
    return this.#one((element) => this.#page.execute(script, element, ...args));
  }

  /** Clicks in the middle of the window, where no bar is above the element. */
  async click() {
    await this.#press((element) => this.#page.command("POST", `/element/${element[ELEMENT]}/click`));
  }

  /** Presses the element, and waits for the page that it leads to: WebKitWebDriver does not. */
  async #press(press) {
    const leads = await this.#one(async (element) => {
      await this.#page.execute(SHOW, element);
      const leads = await this.#page.execute(MARK, element);
      await press(element);
      return leads;
    });
    const deadline = Date.now() + (leads ? LOAD_MS : 0);
    while (Date.now() < deadline && !(await this.#page.execute(IS_LOADED).catch(() => false))) await pause(GAP_MS);
    await this.#page.readUrl();
  }

  async focus() {
    await this.#read("arguments[0].focus()");
  }

  async tap() {
    return this.click();
  }

  async dblclick() {
    await this.#press((element) => {
      const press = [{ type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
      const move = { type: "pointerMove", duration: 0, origin: element, x: 0, y: 0 };
      const mouse = { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: [move, ...press, ...press] };
      return this.#page.command("POST", "/actions", { actions: [mouse] });
    });
  }

  async fill(text) {
    await this.#one(async (element) => {
      await this.#page.execute(SHOW, element);
      await this.#page.command("POST", `/element/${element[ELEMENT]}/clear`);
      if (text !== "") await this.#page.command("POST", `/element/${element[ELEMENT]}/value`, { text });
    });
  }

  async check() {
    if (!(await this.#read("return arguments[0].checked"))) await this.click();
  }

  async selectOption(value) {
    await this.#read("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', { bubbles: true }))", value);
  }

  innerText() {
    return this.#read("return arguments[0].innerText");
  }

  inputValue() {
    return this.#read("return arguments[0].value");
  }

  getAttribute(name) {
    return this.#read("return arguments[0].getAttribute(arguments[1])", name);
  }

  async count() {
    return (await this.#all()).length;
  }

  allInnerTexts() {
    return this.evaluateAll((all) => all.map((one) => one.innerText));
  }

  /** WebKitWebDriver finds elements among the arguments only, and not within an array. */
  async evaluateAll(work) {
    return this.#page.execute(`return (${work})([...arguments])`, ...(await this.#all()));
  }

  evaluate(work) {
    return this.#read(`return (${work})(arguments[0])`);
  }

  /** Waits until the element is visible. */
  async waitFor() {
    await until(() => `${JSON.stringify(this.#steps)} at ${this.#page.lastUrl}`, async () => {
      const found = await this.#all();
      const isVisible = "return arguments[0].checkVisibility?.() ?? arguments[0].getClientRects().length > 0";
      return found.length > 0 && (await this.#page.execute(isVisible, found[0])) ? true : undefined;
    });
  }
}
