/*
 * A window of a browser, with the methods of Playwright's pages that the tests use. `goto(address).status()` is a promise here.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Locator, Scope, until } from "./locator.mjs";

/* How long the focus may take to move after a key. At the end of a page it does not move. */
const FOCUS_MS = 1_000;
const GAP_MS = 25;

/* WebDriver, section 17.4.2. */
/* The keys that are no characters (WebDriver, section 17.4.2). */
const KEYS = { Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C", ArrowRight: "\uE014" };

export class Page extends Scope {
  #context;
  #window;
  lastUrl = "about:blank";

  constructor(context, window) {
    super();
    this.#context = context;
    this.#window = window;
    this.keyboard = { press: (key) => this.#press(key) };
  }

  with(step) {
    return new Locator(this, [step]);
  }

  /** A command in this window. */
  command(method, path, body) {
    return this.#context.inWindow(this.#window, (session) => session.command(method, path, body));
  }

  execute(script, ...args) {
    return this.#context.inWindow(this.#window, (session) => session.execute(script, ...args));
  }

  async goto(address) {
    await this.command("POST", "/url", { url: address });
    await this.readUrl();
    return { status: () => this.#context.statusOf(address) };
  }

  async reload() {
    await this.command("POST", "/refresh");
    await this.readUrl();
  }

  /** Reads the address, which [`Page.url`] then returns. */
  async readUrl() {
    this.lastUrl = await this.command("GET", "/url");
    this.#context.hasSeen(this.lastUrl);
    return this.lastUrl;
  }

  /** The address after the last action. */
  url() {
    return this.lastUrl;
  }

  async waitForURL(wanted) {
    const is = (url) => (wanted instanceof RegExp ? wanted.test(url) : url === wanted);
    await until(() => `the address ${wanted}, at ${this.lastUrl}`, async () => is(await this.readUrl()) || undefined);
  }

  /** In parts, because WebKitWebDriver never answers with the whole of a long page. */
  async content() {
    let content = "";
    for (;;) {
      const part = await this.execute("return document.documentElement.outerHTML.slice(arguments[0], arguments[0] + 4000)", content.length);
      if (part === "") return content;
      content += part;
    }
  }

  evaluate(work, argument) {
    const call = typeof work === "function" ? `return (${work})(arguments[0])` : work;
    return this.execute(call, argument ?? null);
  }

  /** A constructed style sheet, which the policy of the page does not concern. */
  addStyleTag({ content }) {
    const add = "const sheet = new CSSStyleSheet(); sheet.replaceSync(arguments[0]); document.adoptedStyleSheets = [sheet]";
    return this.execute(add, content);
  }

  async screenshot({ path }) {
    writeFileSync(path, Buffer.from(await this.command("GET", "/screenshot"), "base64"));
  }

  on(event, work) {
    if (event === "console") this.#context.onConsoleFault((line) => work({ type: () => "error", text: () => line }));
  }

  async #press(key) {
    const value = KEYS[key] ?? key;
    const actions = [{ type: "keyDown", value }, { type: "keyUp", value }];
    await this.execute("window.focusBefore = document.activeElement");
    await this.command("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
    // WebKitWebDriver answers before the page has the key.
    const hasMoved = "return document.activeElement !== window.focusBefore";
    for (let left = key === "Tab" ? FOCUS_MS : 0; left > 0 && !(await this.execute(hasMoved)); left -= GAP_MS) await pause(GAP_MS);
    await this.readUrl();
  }
}
