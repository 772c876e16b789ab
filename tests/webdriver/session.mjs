/*
 * A browser that is driven over WebDriver (https://www.w3.org/TR/webdriver2/): Debian's Firefox with geckodriver, and WebKitGTK
 * with WebKitWebDriver. Playwright drives neither: it needs browsers that it has changed.
 */
import { spawn } from "node:child_process";
import { createConnection } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../service.mjs";
import { startDisplay } from "./display.mjs";

/** How long the page may take until it is as an action needs it: far longer than it does, also on a machine that is busy. */
export const TIMEOUT_MS = 30_000;

/** How long a request to the driver may take, and a little less, which a script in the page may take. */
const REQUEST_TIMEOUT_MS = 2 * TIMEOUT_MS;
const SCRIPT_TIMEOUT_MS = REQUEST_TIMEOUT_MS - 5_000;

/* How long a browser may take to close. */
const END_MS = 5_000;

/** How a reference to an element is written (WebDriver, section 12.1). */
export const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/* What Firefox prints of the console of a page, with the preferences below. */
const CONSOLE_FAULT = /^(console\.(error|warn): |JavaScript error: http)/;

const ENGINES = {
  firefox: ({ script, dark, language }) => ({
    program: process.env.GECKODRIVER ?? "geckodriver",
    capabilities: {
      browserName: "firefox",
      "moz:firefoxOptions": {
        ...(process.env.FIREFOX && { binary: process.env.FIREFOX }),
        args: ["-headless"],
        prefs: {
          "javascript.enabled": script,
          "intl.accept_languages": language,
          "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
          "dom.disable_open_during_load": false,
          "devtools.console.stdout.content": true,
          "devtools.console.stdout.chrome": false,
          "messaging-system.log": "off",
        },
      },
    },
  }),
  webkit: ({ script, dark, language }) => ({
    program: process.env.WEBKITWEBDRIVER ?? "WebKitWebDriver",
    capabilities: {
      "webkitgtk:browserOptions": { args: ["--automation", `--enable-javascript=${script}`] },
    },
    environment: {
      LC_ALL: language === "fr" ? "fr_FR.UTF-8" : "en_GB.UTF-8",
      LANGUAGE: language,
      GTK_THEME: dark ? "Adwaita:dark" : "Adwaita",
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    },
    display: true,
  }),
};

/** One browser with a profile of its own. */
export class Session {
  /** Called with each fault that a page writes to its console, where the engine prints it. */
  onConsoleFault = () => {};

  /** Starts a browser. `engine` is `firefox` or `webkit`. */
  static async start(engine, { javaScriptEnabled = true, colorScheme = "light", locale = "en" }) {
    const recipe = ENGINES[engine]({ script: javaScriptEnabled, dark: colorScheme === "dark", language: locale });
    const session = new Session();
    const environment = { ...process.env, ...recipe.environment };
    if (recipe.display) environment.DISPLAY = await startDisplay();
    const port = await freePort();
    session.origin = `http://127.0.0.1:${port}`;
    session.process = spawn(recipe.program, [`--port=${port}`], { env: environment, stdio: ["ignore", "pipe", "ignore"] });
    session.#readConsole();
    await listens(port);
    // axe takes longer than the default of 30 s on a page of the reference, while other work has the processors.
    const alwaysMatch = { timeouts: { script: SCRIPT_TIMEOUT_MS }, ...recipe.capabilities };
    const { sessionId } = await session.#request("POST", "/session", { capabilities: { alwaysMatch } });
    session.path = `/session/${sessionId}`;
    return session;
  }

  #readConsole() {
    let rest = "";
    this.process.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) if (CONSOLE_FAULT.test(line)) this.onConsoleFault(line);
    });
  }

  /** A command of the session, such as `POST /url`. An error has the name that WebDriver gives it. */
  command(method, path, body) {
    return this.#request(method, this.path + path, body);
  }

  async #request(method, path, body = {}) {
    const options = method === "GET" || method === "DELETE" ? { method } : { method, body: JSON.stringify(body) };
    const headers = { "content-type": "application/json; charset=utf-8" };
    const answer = await fetch(this.origin + path, { ...options, headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).catch((error) => {
      throw new Error(`${method} ${path}: ${error.message}`);
    });
    const { value } = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(`${method} ${path}: ${value.error}: ${value.message}`), { name: value.error });
    return value;
  }

  /** Runs the body of a function in the page, also where its own scripts are off. */
  execute(script, ...args) {
    return this.command("POST", "/execute/sync", { script, args });
  }

  /** Closes the browser, and ends its driver, also where it does not answer any more. */
  async end() {
    const closed = this.command("DELETE", "").catch(() => {});
    await Promise.race([closed, pause(END_MS, undefined, { ref: false })]);
    this.process.kill();
  }
}

async function listens(port) {
  for (let left = TIMEOUT_MS; left > 0; left -= 50) {
    const isOpen = await new Promise((resolve) => {
      const socket = createConnection({ port, host: "127.0.0.1" }, () => resolve(true)).on("error", () => resolve(false));
      socket.once("connect", () => socket.end());
    });
    if (isOpen) return;
    await pause(50);
  }
  throw new Error("the driver does not listen");
}
