/*
 * Tua's checkout as a custom element, <tua-checkout token="…">, and as mount().
 *
 * The browser runs this module before the WebAssembly has arrived. It adopts the styles, draws the form, and fetches the
 * WebAssembly, the texts and the session meanwhile. Then the component replaces the drawn form, with what was typed into
 * it. If the WebAssembly cannot run, the form is posted to the hosted page. `cargo xtask dist` bundles this module with
 * wasm-bindgen's into pkg/tua-checkout.js. Importing it in Node does nothing.
 */
import { hasBegun, textOf } from "./browser.js";
import css from "./checkout.css";
import { draw, handOver } from "./draw.js";
import { DIRECTION, HINTS, LANGUAGE, LOADER_FAILED, LOADER_OPEN, OPEN, QUEUED, TEXTS } from "./form.js";
import { failed, languageOf, load, requestSession, settings, textsOf } from "./resources.js";

export { configure } from "./resources.js";

/* How often a checkout is started again after its WebAssembly has failed. */
const RECOVERIES = 3;

/* The time until the component must have started, in milliseconds: 53 KB at 15 kbit/s. */
const START_TIMEOUT_MS = 30_000;

/* The component's events: src/flow/effect.rs. */
const EVENTS = ["ready", "pending", "successful", "failed", "expired", "error"].map((name) => `tua-${name}`);

const isBrowser = typeof HTMLElement === "function" && typeof customElements === "object";

/** Unmounts the component. Before its first rendering this must wait: Yew would still render it, and never remove it. */
const destroy = (handle, root) => (root.firstChild ? handle.destroy() : setTimeout(destroy, 0, handle, root));

/* A page may set a smaller font size at its root (`font-size: 62.5%`): here 1rem is at least 16px. */
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
    // A browser without adoptedStyleSheets.
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
  /** The element inside the shadow root that contains everything else. Another token gets a new one. */
  #root;
  /** The token that `#root` was started with. */
  #started;
  /** The drawn form, until the component replaces it. */
  #form;
  /** Whether Pay was pressed in the drawn form. */
  #isPaying = false;
  /** Whether a network was chosen in the drawn form. */
  #isChosen = false;
  /** Whether an input method is composing a character in the drawn form. */
  #isComposing = false;
  /** The element in which the component renders. It is hidden until the component replaces the drawn form. */
  #place;
  #handle;
  /** Called after the first rendering. Every option object contains it: later ones can arrive before that rendering. */
  #onRendered;
  /** How often the WebAssembly has failed with this token. */
  #failures = 0;
  /** Called when the WebAssembly has failed. */
  #recover = (error) => queueMicrotask(() => this.#restart(error));
  /** The events that the page has got before the WebAssembly failed. Those are not repeated. */
  #told = new Set();
  /** Aborts the request for the session, or removes the listener of `#post`. */
  #session;

  /** The texts of the form in this element's language. The texts that a preview lacks are in English. */
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
    // A property that a framework set before the element was defined.
    if (Object.hasOwn(this, "token")) {
      const token = this.token;
      delete this.token;
      this.token = token;
    }
    if (!this.shadowRoot) {
      adoptStyles(this.attachShadow({ mode: "open" }));
      this.shadowRoot.addEventListener("click", (event) => this.#return(event));
      for (const name of EVENTS) this.shadowRoot.addEventListener(name, (event) => this.#tell(event), true);
    }
    failed.add(this.#recover);
    this.#update();
  }

  disconnectedCallback() {
    // An element that is moved within the page is disconnected, and connected again at once.
    queueMicrotask(() => {
      if (this.isConnected) return;
      failed.delete(this.#recover);
      this.#end();
    });
  }

  attributeChangedCallback(_name, before, after) {
    if (before !== after && this.isConnected && this.shadowRoot) this.#update();
  }

  /** Tells the page that the payer presses the link back to the shop. If the page cancels the event, it stays open. */
  #return(event) {
    const url = event.target.closest("a.tua-button")?.href;
    const init = { bubbles: true, composed: true, cancelable: true, detail: { url } };
    if (url && !this.dispatchEvent(new CustomEvent("tua-return", init))) event.preventDefault();
  }

  /** Holds an event back that the page has got already, before the component was started again. */
  #tell(event) {
    const told = event.type + JSON.stringify(event.detail);
    if (this.#failures && this.#told.has(told)) event.stopPropagation();
    this.#told.add(told);
  }

  /**
   * Draws the checkout anew after the WebAssembly has failed. The service knows how far the payment is. What was typed
   * stays. If it fails again and again, the way to the hosted page is shown.
   */
  #restart(error) {
    const { token } = this;
    // Nothing was started, or it has been replaced meanwhile.
    if (!this.#started) return;
    const fields = this.#place?.querySelector("form[name=pay]")?.elements;
    this.#handle = undefined;
    if (this.#failures++ >= RECOVERIES) return this.#fail(error);
    this.#showOutline();
    this.#start(this.#root, token);
    if (!fields || !this.#form) return;
    const { phoneNumber, network } = this.#form.querySelector("form").elements;
    phoneNumber.value = fields.phoneNumber.value;
    network.value = fields.network.value;
    this.#isChosen = network.value !== "";
  }

  #end() {
    this.#stop();
    this.#root?.remove();
    this.#root = this.#form = undefined;
    this.#isPaying = this.#isChosen = this.#isComposing = false;
  }

  /** Ends the component and its requests. The drawn form stays. */
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
    this.#failures = 0;
    this.#told.clear();
    this.#showOutline();
    if (token) this.#start(this.#root, token);
  }

  /** Shows an outline of the form. */
  #showOutline() {
    const bars = Array.from({ length: 4 }, () => element("span"));
    this.#show(element("div", { className: "tua", ariaBusy: "true" }, element("div", { className: "tua-skeleton" }, ...bars)));
  }

  async #start(root, token) {
    this.#started = token;
    if (!hasBegun(token)) this.#draw();
    const isCurrent = () => this.#root === root && this.#started === token;
    const controller = (this.#session = new AbortController());
    let limit;
    const timeout = new Promise((_, reject) => (limit = setTimeout(reject, START_TIMEOUT_MS, new Error("it takes too long to load"))));
    try {
      // A tag in the page's HTML is upgraded before a module that imports this one can call configure().
      await null;
      if (!isCurrent()) return;
      const language = languageOf(this);
      const loaded = load();
      loaded.catch(() => {});
      const loadedTexts = textsOf(language);
      const first = requestSession(token, controller);
      const started = (async () => {
        const texts = await loadedTexts;
        const start = await loaded;
        if (!isCurrent()) return;
        const place = (this.#place = element("div", { hidden: true }));
        root.append(place);
        // The component asks for this where the page has removed what contains it.
        place.addEventListener("tua-lost", () => {
          if (place.hidden) return;
          root.replaceChildren(place);
          this.shadowRoot.replaceChildren(root);
          adoptStyles(this.shadowRoot);
        });
        // After the first rendering Yew may let the browser handle events before it attaches the listeners, so a change of
        // the DOM does not show that the component is ready.
        await new Promise((onRendered) => {
          this.#onRendered = onRendered;
          this.#handle = start(place, { ...this.#options(texts), first });
          if (!this.#handle) throw new Error("the texts are of another version");
          if (languageOf(this) !== language) this.#change();
        });
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

  /** Draws the form, or draws it again in another state or language. */
  #draw() {
    const isNew = !this.#form;
    const form = (this.#form = draw(this.#isPaying ? QUEUED : OPEN, this.#texts, this.#form));
    // After Pay was pressed only the networks that were not chosen are disabled.
    const chosen = form.querySelector(":checked");
    if (chosen) chosen.disabled = false;
    if (!isNew) return;
    this.#root.replaceChildren(form);
    form.addEventListener("compositionstart", () => (this.#isComposing = true));
    form.addEventListener("compositionend", () => (this.#isComposing = false));
    form.addEventListener("input", (event) => this.#hint(event.target));
    form.addEventListener("submit", (event) => this.#pay(event));
  }

  /** Chooses the network that the prefix suggests until the payer chooses one, as the component does. */
  #hint({ type, value }) {
    this.#isChosen ||= type === "radio";
    if (this.#isChosen) return;
    // Nine digits are a number without its 0, which may begin with 233.
    const prefix = value.replace(/[^\d+]/g, "").replace(/^((\+|00)233|\+|233(?!.{6}$))?0?/, "").slice(0, 2);
    for (const radio of this.#form.querySelectorAll("[type=radio]")) radio.checked = radio.value === HINTS[prefix];
  }

  /** Delays Pay until the component has started. If it has failed, the browser posts the form to the hosted page. */
  #pay(event) {
    if (!this.#started) return;
    event.preventDefault();
    this.#isPaying = true;
    this.#draw();
  }

  /** Replaces the drawn form by the component, with what was typed and pressed. */
  #takeOver() {
    const form = this.#form;
    this.#place.hidden = false;
    if (form) {
      const { "tua-0-phone": phoneNumber, network } = form.querySelector("form").elements;
      const shown = network.value;
      // The prefix of a number that was set without an event suggests another network, which the payer has not seen.
      this.#hint(phoneNumber);
      this.#handle.fill(textOf(phoneNumber), network.value === shown ? shown : "", this.#isPaying);
      handOver(form, this.#place);
      this.#form = undefined;
    }
    // The component's element stays in place: if it were inserted again, it would lose the focus.
    while (this.#place.previousSibling) this.#place.previousSibling.remove();
  }

  /** Handles another language, or another token of a visible component. With the same token the input stays. */
  async #change() {
    const root = this.#root;
    if (this.#form) this.#draw();
    const texts = await textsOf(languageOf(this));
    if (this.#root !== root) return;
    this.#started = this.token;
    this.#handle?.set(this.#options(texts));
  }

  #options(texts) {
    return { token: this.token, baseUrl: settings.baseUrl, texts, onRendered: this.#onRendered };
  }

  /**
   * Handles a component that cannot start: the drawn form is posted to the hosted page, which shows what was typed. A page
   * can provide other content for this case inside the tag, with `slot="failed"`.
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
    // The page's policy may block posting forms to the hosted page. Then a link is shown.
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

/** Registers the element, by default as `tua-checkout`. */
export function define(name = "tua-checkout") {
  if (isBrowser && !customElements.get(name)) {
    // A class can be registered only once.
    customElements.define(name, name === "tua-checkout" ? TuaCheckout : class extends TuaCheckout {});
  }
}

/** Appends a checkout to an element of the page. Resolves when the WebAssembly has loaded or failed. */
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
