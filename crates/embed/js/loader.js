/*
 * Tua's checkout as a custom element, <tua-checkout token="…">, and as mount().
 *
 * This module is the small part that is there at once: it brings the styles and shows the outline of the
 * form, fetches the
 * WebAssembly and the texts, and says what to do where they cannot run. Everything else is in the
 * WebAssembly. `cargo xtask dist` joins it with wasm-bindgen's half into pkg/tua-checkout.js. Importing
 * it in Node does nothing.
 */
import css from "./checkout.css";
import init, { start } from "./tua_embed.js";

/* Each is fetched only where it is used. */
const LANGUAGES = {
  en: () => import("./locales/en.js"),
  fr: () => import("./locales/fr.js"),
  ar: () => import("./locales/ar.js"),
  tw: () => import("./locales/tw.js"),
  ee: () => import("./locales/ee.js"),
  ha: () => import("./locales/ha.js"),
};
/* Nobody who speaks them has read these yet: only a tag that asks gets them. */
const PREVIEWS = ["tw", "ee", "ha"];
/* The lines of the first texts; src/locale/ids.rs names them all. */
const LANGUAGE = 1;
const DIRECTION = 2;
const LOADER_FAILED = 3;
const LOADER_OPEN = 4;

const isBrowser = typeof HTMLElement === "function" && typeof customElements === "object";
/* Where the script is from. Not with two arguments: bundlers would look for a file of that name. */
const { origin } = new URL(import.meta.url);
const settings = {
  baseUrl: origin.startsWith("http") ? `${origin}/v1` : undefined,
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
  loading ??= init(settings.wasmUrl ?? new URL("tua_embed_bg.wasm", import.meta.url)).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const primary = (tag) => tag?.toLowerCase().split("-")[0];

/** The language of the nearest element around that names one, out of every shadow. */
function languageAround(node) {
  while ((node = node.parentNode ?? node.host)) if (node.lang) return node.lang;
}

function languageOf(element) {
  const asked = primary(element.getAttribute("lang"));
  if (Object.hasOwn(LANGUAGES, asked)) return asked;
  const wanted = [languageAround(element), ...navigator.languages].map(primary);
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language) && !PREVIEWS.includes(language)) ?? "en";
}

/** The texts; English where they cannot be had. */
const textsOf = (language) =>
  LANGUAGES[language]()
    .catch(LANGUAGES.en)
    .then((module) => module.default);

/** Asks for the session while the WebAssembly is on its way: a round trip less before the form is there. */
function ask(token, asked) {
  if (!settings.baseUrl) return;
  const headers = { authorization: `Bearer ${token}` };
  const init = { headers, credentials: "omit", cache: "no-store", signal: asked.signal };
  const answer = fetch(`${settings.baseUrl}/checkout`, init);
  // As long as any other request of the component (src/shell/job.rs); then it asks for itself.
  const limit = setTimeout(() => asked.abort(), 40_000);
  asked.signal.onabort = () => clearTimeout(limit);
  // Whoever takes it hears of a failure; nobody may.
  answer.catch(() => {});
  return answer;
}

/** Ends what was drawn; Yew would draw it after all, and for ever, if it were told to before it has. */
const destroy = (handle, root) => (root.firstChild ? handle.destroy() : setTimeout(destroy, 0, handle, root));

/* Letters that a page has made smaller at its root (`font-size: 62.5%`) stay readable here; larger ones are followed. */
const styles = css.replace(/(-?[\d.]+)rem/g, "calc($1*max(1rem,16px))");

/* Constructed, not inline, so that `style-src 'self'` lets it through. */
let sheet;
function dress(shadow) {
  try {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
    }
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
  } catch {
    // A browser that cannot adopt sheets.
    shadow.append(element("style", { textContent: styles }));
  }
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const Base = isBrowser ? HTMLElement : class {};

/** `<tua-checkout token="tua_checkout_…" lang="fr">`. */
export class TuaCheckout extends Base {
  static observedAttributes = ["token", "lang"];
  #root;
  #handle;
  /** Ends the question for the session. */
  #asked;
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
    if (!this.shadowRoot) dress(this.attachShadow({ mode: "open" }));
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
    if (this.#handle) destroy(this.#handle, this.#root);
    this.#handle = undefined;
    this.#asked?.abort();
    this.#root?.remove();
    this.#root = undefined;
    this.#starting = false;
  }

  #show(...content) {
    this.#end();
    this.#root = element("div", {}, ...content);
    this.shadowRoot.append(this.#root);
  }

  #update() {
    const { token } = this;
    if (this.#handle && token) return this.#change();
    // Whatever the token is by then will be taken.
    if (this.#starting && token) return;
    // What the WebAssembly draws first, before it is here.
    const bars = Array.from({ length: 4 }, () => element("span"));
    this.#show(element("div", { className: "tua", ariaBusy: "true" }, element("div", { className: "tua-skeleton" }, ...bars)));
    if (token) this.#start(this.#root);
  }

  async #start(root) {
    this.#starting = true;
    const asked = (this.#asked = new AbortController());
    // A tag of the page's own HTML is here before the module that imports this one has said where the API is.
    await null;
    const language = languageOf(this);
    const words = textsOf(language);
    const { token } = this;
    const first = ask(token, asked);
    try {
      await load();
      const texts = await words;
      if (this.#root !== root) return;
      this.#starting = false;
      this.#handle = start(root, { ...this.#options(texts), first: token === this.token ? first : undefined });
      if (!this.#handle) throw new Error("the texts are of another version");
      if (languageOf(this) !== language) this.#change();
    } catch (error) {
      const texts = await words.catch(() => "");
      if (this.#root === root) this.#fail(error, texts);
    }
  }

  /** Another token or another language: what was typed stays with the same token. */
  async #change() {
    const handle = this.#handle;
    const texts = await textsOf(languageOf(this));
    if (this.#handle === handle) handle.set(this.#options(texts));
  }

  #options(texts) {
    return { token: this.token, baseUrl: settings.baseUrl, texts };
  }

  /** No WebAssembly here: the hosted page works without it. A page may bring words of its own inside the tag. */
  #fail(error, texts) {
    const page = settings.baseUrl && new URL("/pay", settings.baseUrl);
    page?.searchParams.set("key", this.token);
    const lines = texts.split("\n");
    const words = [element("p", { textContent: lines[LOADER_FAILED] })];
    if (page) words.push(element("p", {}, element("a", { href: page.href, className: "tua-link", textContent: lines[LOADER_OPEN] })));
    const own = element("slot", { name: "failed" }, ...words);
    this.#show(element("div", { className: "tua", role: "alert", lang: lines[LANGUAGE] ?? "", dir: lines[DIRECTION] ?? "" }, own));
    const detail = { code: "not_started", message: String(error?.message ?? error) };
    this.dispatchEvent(new CustomEvent("tua-error", { bubbles: true, composed: true, detail }));
  }
}

/** Registers the element, under another name if need be. */
export function define(name = "tua-checkout") {
  if (isBrowser && !customElements.get(name)) {
    // A class can be registered once only.
    customElements.define(name, name === "tua-checkout" ? TuaCheckout : class extends TuaCheckout {});
  }
}

/** Puts a checkout into the page; resolves once it is there. */
export async function mount(target, { token, lang } = {}) {
  const parent = typeof target === "string" ? document.querySelector(target) : target;
  if (!parent) throw new TypeError(`tua-checkout: nothing on the page matches ${target}`);
  if (!token) throw new TypeError("tua-checkout: mount() needs a token");
  define();
  const checkout = document.createElement("tua-checkout");
  if (lang) checkout.lang = lang;
  checkout.token = token;
  parent.append(checkout);
  await load().catch(() => {});
  return { element: checkout, unmount: () => checkout.remove() };
}
