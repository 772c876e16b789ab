/*
 * A browser of a person's own: a session with its windows, which are used one after the other.
 */
import { until } from "./locator.mjs";
import { Page } from "./page.mjs";
import { Session } from "./session.mjs";

/* The narrowest window in pixels. A pop-up of Firefox may be narrower; WebKitGTK's MiniBrowser opens none for a program. */
const NARROWEST = { firefox: 500, webkit: 450 };

export class Context {
  #session;
  #viewport;
  #opensPopUps;
  #windows = 0;
  #current;
  #origins = new Set();
  #listeners = [];

  /** `options` are those of Playwright's contexts, as far as WebDriver has them. */
  static async start(engine, { viewport = { width: 1280, height: 720 }, storageState, ...options }) {
    const context = new Context();
    context.#opensPopUps = engine === "firefox" && viewport.width < NARROWEST.firefox;
    context.#viewport = { ...viewport, width: context.#opensPopUps ? viewport.width : Math.max(viewport.width, NARROWEST[engine]) };
    context.#session = await Session.start(engine, options);
    context.#session.onConsoleFault = (line) => context.#listeners.forEach((listener) => listener(line));
    context.#current = await context.#session.command("GET", "/window");
    if (storageState) await context.#restore(storageState);
    return context;
  }

  async #restore({ origin, cookies }) {
    await this.#session.command("POST", "/url", { url: origin });
    // Firefox refuses some of the attributes that it has answered with, such as SameSite=None of a cookie that has none.
    for (const { name, value, path, httpOnly } of cookies) {
      await this.#session.command("POST", "/cookie", { cookie: { name, value, path, httpOnly, sameSite: "Lax" } });
    }
  }

  /** Runs commands in a window. A session has one current window, so a test uses one window at a time. */
  async inWindow(window, work) {
    if (this.#current !== window) await this.#session.command("POST", "/window", { handle: window });
    this.#current = window;
    return work(this.#session);
  }

  async newPage() {
    const isFirst = this.#windows++ === 0;
    if (this.#opensPopUps) return new Page(this, await this.#popUp());
    const made = isFirst ? { handle: this.#current } : await this.#session.command("POST", "/window/new", { type: "tab" });
    const page = new Page(this, made.handle);
    if (isFirst) await this.#fit(page);
    return page;
  }

  async #popUp() {
    const { width, height } = this.#viewport;
    const before = await this.#session.command("GET", "/window/handles");
    await this.#session.execute(`window.open('about:blank', '_blank', 'popup,width=${width},height=${height}')`);
    return until(() => "a pop-up", async () => {
      const now = await this.#session.command("GET", "/window/handles");
      return now.find((window) => !before.includes(window));
    });
  }

  /** Makes the inside of the window as large as it is to be. */
  async #fit(page) {
    const { width, height } = this.#viewport;
    const inside = () => page.execute("return { width: innerWidth, height: innerHeight }");
    await page.command("POST", "/window/rect", { width, height });
    const found = await inside();
    await page.command("POST", "/window/rect", { width: 2 * width - found.width, height: 2 * height - found.height });
    await until(() => `a window of ${width} pixels`, async () => (await inside()).width === width || undefined);
  }

  hasSeen(url) {
    if (url.startsWith("http")) this.#origins.add(new URL(url).origin);
  }

  onConsoleFault(listener) {
    this.#listeners.push(listener);
  }

  /** The cookies of the page that is open. */
  async storageState() {
    const { origin } = new URL(await this.#session.command("GET", "/url"));
    return { origin, cookies: await this.#session.command("GET", "/cookie") };
  }

  /** Deletes the cookies of the page that is open, and without a domain those of every site that was open. */
  async clearCookies({ domain } = {}) {
    await this.#deleteCookies();
    const here = new URL(await this.#session.command("GET", "/url")).hostname;
    const others = [...this.#origins].filter((origin) => new URL(origin).hostname !== here);
    if (domain || others.length === 0) return;
    // A window of its own, because the page that is open stays.
    const { handle } = await this.#session.command("POST", "/window/new", { type: "tab" });
    await this.#session.command("POST", "/window", { handle });
    for (const url of others) {
      await this.#session.command("POST", "/url", { url });
      await this.#deleteCookies();
    }
    await this.#session.command("DELETE", "/window");
    await this.#session.command("POST", "/window", { handle: this.#current });
  }

  /** Waits until the browser has none: WebKitWebDriver answers before that. */
  async #deleteCookies() {
    await until(() => "no cookies", async () => {
      await this.#session.command("DELETE", "/cookie");
      return (await this.#session.command("GET", "/cookie")).length === 0 || undefined;
    });
  }

  /** The status of the response to a further request for this address, with the cookies of the browser. */
  async statusOf(address) {
    const { cookies } = await this.storageState();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    return (await fetch(address, { headers: { cookie } })).status;
  }

  close() {
    return this.#session.end();
  }
}
