/*
 * Tua's checkout as a custom element, <tua-checkout token="…">, and as mount().
 *
 * This module is small and arrives first. It adopts the styles, draws the form, and fetches the WebAssembly, the texts
 * and the session meanwhile. The component then takes the form over with what was typed. Where the WebAssembly cannot
 * run, the form leads to the hosted page. `cargo xtask dist` joins this module with wasm-bindgen's into
 * pkg/tua-checkout.js. Importing it in Node does nothing.
 */
import { hasBegun } from "./browser.js";
import css from "./checkout.css";
import { draw, handOver } from "./draw.js";
import { DIRECTION, LANGUAGE, LOADER_FAILED, LOADER_OPEN, OPEN, QUEUED, TEXTS } from "./form.js";
import { languageOf, load, requestSession, settings, textsOf } from "./resources.js";
import { start } from "./tua_embed.js";

export { configure } from "./resources.js";

/* How long the component may take to start, in milliseconds: 45 KB at 12 kbit/s. Then the form leads elsewhere. */
const START_TIMEOUT_MS = 30_000;

const isBrowser = typeof HTMLElement === "function" && typeof customElements === "object";

/** Unmounts the component; before its first rendering Yew would still render it, and never remove it. */
const destroy = (handle, root) => (root.firstChild ? handle.destroy() : setTimeout(destroy, 0, handle, root));

/** Resolves when the component has rendered into this element for the first time. */
const rendered = (root) =>
  new Promise((resolve) => new MutationObserver((_, observer) => resolve(observer.disconnect())).observe(root, { childList: true }));

/* Letters that a page has made smaller at its root (`font-size: 62.5%`) stay readable here; larger ones are followed. */
const styles = css.replace(/(-?[\d.]+)rem/g, "calc($1*max(1rem,16px))");

/* Constructed, not inline, so that `style-src 'self'` allows it. */
let sheet;
function adoptStyles(shadow) {
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
  /** What the shadow root shows; another one for another token. */
  #root;
  /** The token that `#root` was started with. */
  #started;
  /** The drawn form, until the component takes it over. */
  #form;
  /** Whether Pay was pressed in it. */
  #isPaying = false;
  /** Whether an input method is in the middle of a character in it. */
  #isComposing = false;
  /** Where the component renders, hidden until it takes over. */
  #place;
  #handle;
  /** Aborts the request for the session, or ends what listens after a failure. */
  #session;

  /** The texts of the form in this element's language; a preview's lacks are in English. */
  get #texts() {
    const texts = TEXTS[languageOf(this)];
    return TEXTS.en.map((english, place) => texts[place] ?? english);
  }

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
    if (!this.shadowRoot) adoptStyles(this.attachShadow({ mode: "open" }));
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
    this.#stop();
    this.#root?.remove();
    this.#root = this.#form = undefined;
    this.#isPaying = this.#isComposing = false;
  }

  /** Ends the component and its requests; what is drawn stays. */
  #stop() {
    if (this.#handle) destroy(this.#handle, this.#place);
    this.#session?.abort();
    this.#started = this.#handle = undefined;
  }

  #show(...content) {
    this.#end();
    this.#root = element("div", {}, ...content);
    this.shadowRoot.append(this.#root);
  }

  #update() {
    const { token } = this;
    const isShown = this.#handle && !this.#place.hidden;
    if (token && (token === this.#started || isShown)) return this.#change();
    // The outline of the form.
    const bars = Array.from({ length: 4 }, () => element("span"));
    this.#show(element("div", { className: "tua", ariaBusy: "true" }, element("div", { className: "tua-skeleton" }, ...bars)));
    if (token) this.#start(this.#root, token);
  }

  async #start(root, token) {
    this.#started = token;
    if (!hasBegun(token)) this.#draw();
    const isCurrent = () => this.#root === root && this.#started === token;
    const controller = (this.#session = new AbortController());
    let limit;
    const timeout = new Promise((_, reject) => (limit = setTimeout(reject, START_TIMEOUT_MS, new Error("it takes too long to load"))));
    try {
      // A tag of the page's own HTML is here before the module that imports this one has set where the API is.
      await null;
      if (!isCurrent()) return;
      const language = languageOf(this);
      const loaded = load();
      loaded.catch(() => {});
      const loadedTexts = textsOf(language);
      const first = requestSession(token, controller);
      const started = (async () => {
        const texts = await loadedTexts;
        await loaded;
        if (!isCurrent()) return;
        const isRendered = rendered((this.#place = element("div", { hidden: true })));
        root.append(this.#place);
        this.#handle = start(this.#place, { ...this.#options(texts), first });
        if (!this.#handle) throw new Error("the texts are of another version");
        if (languageOf(this) !== language) this.#change();
        await isRendered;
      })();
      await Promise.race([started, timeout]);
      while (this.#isComposing) await new Promise((resolve) => this.#form.addEventListener("compositionend", resolve, { once: true }));
      if (isCurrent()) this.#takeOver();
    } catch (error) {
      if (isCurrent()) this.#fail(error);
    } finally {
      clearTimeout(limit);
    }
  }

  /** The form before the component is there. */
  #draw() {
    const isNew = !this.#form;
    const form = (this.#form = draw(this.#isPaying ? QUEUED : OPEN, this.#texts, this.#form));
    // While Pay waits, only the other networks are out of reach.
    const chosen = form.querySelector(":checked");
    if (chosen) chosen.disabled = false;
    if (!isNew) return;
    this.#root.replaceChildren(form);
    form.addEventListener("compositionstart", () => (this.#isComposing = true));
    form.addEventListener("compositionend", () => (this.#isComposing = false));
    form.addEventListener("submit", (event) => this.#pay(event));
  }

  /** Pay waits for the component; where that has failed, the form is posted to the hosted page. */
  #pay(event) {
    if (!this.#started) return;
    event.preventDefault();
    this.#isPaying = true;
    this.#draw();
  }

  #takeOver() {
    const form = this.#form;
    this.#form = undefined;
    this.#place.hidden = false;
    if (form) {
      const { phoneNumber, network } = form.querySelector("form").elements;
      this.#handle.fill(phoneNumber.value, network.value, this.#isPaying);
      handOver(form, this.#place);
    }
    // Not replaced: what is put into a page again loses the focus.
    while (this.#place.previousSibling) this.#place.previousSibling.remove();
  }

  /** Another language, or another token for a component that is shown: what was typed stays with the same token. */
  async #change() {
    const root = this.#root;
    if (this.#form) this.#draw();
    const texts = await textsOf(languageOf(this));
    if (this.#root !== root) return;
    this.#started = this.token;
    this.#handle?.set(this.#options(texts));
  }

  #options(texts) {
    return { token: this.token, baseUrl: settings.baseUrl, texts };
  }

  /**
   * The component cannot start: the drawn form is posted to the hosted page, which shows what was typed. A page may
   * bring content of its own for this inside the tag.
   */
  #fail(error) {
    this.#stop();
    const page = settings.baseUrl && new URL("/pay", settings.baseUrl).href;
    const form = this.#form?.querySelector("form");
    if (page && form && !this.querySelector("[slot=failed]")) this.#post(form, page);
    else this.#link(page);
    const detail = { code: "not_started", message: String(error?.message ?? error) };
    this.dispatchEvent(new CustomEvent("tua-error", { bubbles: true, composed: true, detail }));
  }

  #post(form, page) {
    const texts = this.#texts;
    form.action = page;
    for (const [name, value] of [["key", this.token], ["lang", languageOf(this)]]) form.append(element("input", { type: "hidden", name, value }));
    form.querySelector("[role=alert]").append(element("p", { className: "tua-notice", textContent: texts[LOADER_FAILED] }));
    form.querySelector("button").textContent = texts[LOADER_OPEN];
    // A page's own policy may not let forms go there; then a link does.
    const { signal } = (this.#session = new AbortController());
    const refused = ({ effectiveDirective, disposition }) => {
      if (effectiveDirective === "form-action" && disposition === "enforce") this.#link(page);
    };
    document.addEventListener("securitypolicyviolation", refused, { signal });
    if (this.#isPaying) form.submit();
  }

  #link(page) {
    const texts = this.#texts;
    const url = page && new URL(page);
    url?.searchParams.set("key", this.token);
    const content = [element("p", { textContent: texts[LOADER_FAILED] })];
    if (url) content.push(element("p", {}, element("a", { href: url.href, className: "tua-link", textContent: texts[LOADER_OPEN] })));
    const slot = element("slot", { name: "failed" }, ...content);
    this.#show(element("div", { className: "tua", role: "alert", lang: texts[LANGUAGE], dir: texts[DIRECTION] }, slot));
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
