/*
 * Tua's checkout as a custom element, <tua-checkout token="…">, and as mount().
 *
 * This module is the small part that is there at once: it shows the outline of the form, fetches the
 * WebAssembly, and says what to do where that cannot run. Everything else is in the WebAssembly.
 * Importing it in Node does nothing.
 */
import texts from "./locales/en.js";

const isBrowser = typeof HTMLElement === "function" && typeof customElements === "object";
const settings = {
  baseUrl: new URL("/v1", import.meta.url).protocol.startsWith("http") ? new URL("/v1", import.meta.url).href : undefined,
  wasmUrl: undefined,
};

/** Says where the API is, once per page, before the first checkout; only a bundled copy needs it. */
export function configure({ baseUrl, wasmUrl } = {}) {
  if (baseUrl !== undefined) settings.baseUrl = String(baseUrl).replace(/\/+$/, "");
  if (wasmUrl !== undefined) settings.wasmUrl = wasmUrl;
}

let loading;
/** The WebAssembly, once per page; a failure is not remembered, so that a later try can succeed. */
function load() {
  loading ??= (async () => {
    const wasm = settings.wasmUrl ?? new URL("tua_embed_bg.wasm", import.meta.url);
    const glue = await import("./tua_embed.js");
    await glue.default({ module_or_path: wasm });
    return glue;
  })().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/* Constructed, not inline, so that `style-src 'self'` lets it through. */
let outline;
function adoptOutline(shadow) {
  try {
    if (!outline) {
      outline = new CSSStyleSheet();
      outline.replaceSync(`:host{display:block;max-inline-size:26rem}:host([hidden]){display:none}
.outline{display:grid;gap:.75rem;padding:1.5rem;border-radius:1rem;border:1px solid #8884;font:1rem/1.5 system-ui,sans-serif}
.outline span{block-size:3rem;border-radius:.625rem;background:#8882}.outline span:first-child{inline-size:45%;block-size:1.25rem}
.outline a{color:inherit}.outline p{margin:0}`);
    }
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, outline];
  } catch {
    /* A browser that cannot adopt sheets shows the outline unstyled for a moment. */
  }
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const Base = isBrowser ? HTMLElement : class {};

/** `<tua-checkout token="tua_checkout_…">`. */
export class TuaCheckout extends Base {
  static observedAttributes = ["token"];
  #root;
  #handle;
  /** Whether the WebAssembly is on its way to the present root. */
  #starting = false;

  get token() {
    return this.getAttribute("token") ?? "";
  }
  set token(token) {
    if (token === null || token === undefined || token === "") this.removeAttribute("token");
    else this.setAttribute("token", token);
  }

  connectedCallback() {
    // A property that a framework set before this class was known.
    if (Object.hasOwn(this, "token")) {
      const token = this.token;
      delete this.token;
      this.token = token;
    }
    if (!this.shadowRoot) adoptOutline(this.attachShadow({ mode: "open" }));
    this.#update();
  }

  disconnectedCallback() {
    // Moved within the page is not removed from it.
    queueMicrotask(() => this.isConnected || this.#end());
  }

  attributeChangedCallback(_name, before, after) {
    if (before !== after && this.isConnected && this.shadowRoot) this.#update();
  }

  #end() {
    this.#handle?.destroy();
    this.#handle = undefined;
    this.#root?.remove();
    this.#root = undefined;
    this.#starting = false;
  }

  #show(...content) {
    this.#end();
    this.#root = element("div", {}, ...content);
    this.shadowRoot.replaceChildren(this.#root);
  }

  #update() {
    const { token } = this;
    if (this.#handle && token) return this.#handle.setToken(token);
    // Whatever the token is by then will be taken.
    if (this.#starting && token) return;
    const bars = Array.from({ length: 4 }, () => element("span"));
    this.#show(element("div", { className: "outline", ariaBusy: "true" }, ...bars));
    if (!token) return;
    this.#starting = true;
    const root = this.#root;
    load().then(
      (glue) => {
        if (this.#root !== root) return;
        this.#starting = false;
        const { baseUrl } = settings;
        this.#handle = glue.start(root, { token: this.token, baseUrl, texts, language: texts["language"] });
      },
      (error) => this.#root === root && this.#fail(error),
    );
  }

  /** No WebAssembly here: the hosted page works without it. A page may bring words of its own inside the tag. */
  #fail(error) {
    const page = settings.baseUrl && new URL("/pay", settings.baseUrl);
    page?.searchParams.set("key", this.token);
    const words = [element("p", { textContent: texts["loader.failed"] })];
    if (page) words.push(element("p", {}, element("a", { href: page.href, textContent: texts["loader.open"] })));
    const own = element("slot", { name: "failed" }, ...words);
    this.#show(element("div", { className: "outline", role: "alert" }, own));
    const detail = { code: "not_started", message: String(error?.message ?? error) };
    this.dispatchEvent(new CustomEvent("tua-error", { bubbles: true, composed: true, detail }));
  }
}

/** Registers the element, under another name if need be. Importing this module has done it already. */
export function define(name = "tua-checkout") {
  if (isBrowser && !customElements.get(name)) {
    // A class can be registered once only.
    customElements.define(name, name === "tua-checkout" ? TuaCheckout : class extends TuaCheckout {});
  }
}

/** Puts a checkout into the page; resolves once it is there. */
export async function mount(target, { token } = {}) {
  const parent = typeof target === "string" ? document.querySelector(target) : target;
  if (!parent) throw new TypeError(`tua-checkout: nothing on the page matches ${target}`);
  if (!token) throw new TypeError("tua-checkout: mount() needs a token");
  const checkout = document.createElement("tua-checkout");
  checkout.token = token;
  parent.append(checkout);
  await load().catch(() => {});
  return { element: checkout, unmount: () => checkout.remove() };
}

define();
