/*
 * Loads the WebAssembly, the texts and the session of a checkout.
 */
import instantiate from "./tua_embed.js";

/* The browser fetches only the languages in use. */
const LANGUAGES = {
  en: () => import("./locales/en.js"),
  fr: () => import("./locales/fr.js"),
  ar: () => import("./locales/ar.js"),
  tw: () => import("./locales/tw.js"),
  ee: () => import("./locales/ee.js"),
  ha: () => import("./locales/ha.js"),
};
/* Languages that no native speaker has reviewed. They are used only if the tag names them. */
const PREVIEWS = ["tw", "ee", "ha"];
/* The same time as for the component's other requests (src/shell/job.rs). */
const REQUEST_TIMEOUT_MS = 40_000;

/* The origin of the script. `new URL` has one argument, because bundlers look for a file if it has two. */
const { origin } = new URL(import.meta.url);
export const settings = {
  baseUrl: origin.startsWith("http") ? `${origin}/v1` : undefined,
  wasmUrl: undefined,
};

/** Sets the address of the API. A bundled copy calls it once, before the first checkout. */
export function configure({ baseUrl, wasmUrl } = {}) {
  if (baseUrl !== undefined) settings.baseUrl = String(baseUrl).replace(/\/+$/, "");
  if (wasmUrl !== undefined) settings.wasmUrl = wasmUrl;
}

/* The checkouts on the page: each is called with the error if the WebAssembly has failed. */
export const failed = new Set();

/* A panic or an exception leaves the WebAssembly's memory as no code expects it. So the instance does nothing more, and
   each checkout is started again with another one. */
const protect = (exports) => {
  let isBroken;
  const protectedCall = (call) => (...values) => {
    if (isBroken) return;
    try {
      return call(...values);
    } catch (error) {
      isBroken = true;
      loading = undefined;
      for (const recover of failed) recover(error);
      throw error;
    }
  };
  const entries = Object.entries(exports);
  return Object.fromEntries(entries.map(([name, value]) => [name, value.call ? protectedCall(value) : value]));
};

let loading;
/* The compiled WebAssembly. */
let compiled;
/** Loads the WebAssembly, once per page until it fails. Returns its function `start`. */
export const load = () =>
  (loading ??= loadInstance().catch((error) => {
    loading = undefined;
    throw error;
  }));

async function loadInstance() {
  const { start, imports, finish } = instantiate(protect);
  compiled ??= await compile(settings.wasmUrl ?? new URL("tua_embed_bg.wasm", import.meta.url));
  finish(await WebAssembly.instantiate(compiled, imports()));
  return start;
}

/* Compiles during the download, which requires that the server sends the type of WebAssembly. */
async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.url}: HTTP status ${response.status}`);
  const isTyped = response.headers.get("content-type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

const primary = (tag) => tag?.toLowerCase().split("-")[0];

/** The language of the nearest ancestor that has one, across shadow roots. */
function languageAround(node) {
  while ((node = node.parentNode ?? node.host)) if (node.lang) return node.lang;
}

export function languageOf(element) {
  const own = primary(element.getAttribute("lang"));
  if (Object.hasOwn(LANGUAGES, own)) return own;
  const wanted = [languageAround(element), ...navigator.languages].map(primary);
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language) && !PREVIEWS.includes(language)) ?? "en";
}

/** Loads the texts. If that fails, the English ones. */
export const textsOf = (language) =>
  LANGUAGES[language]()
    .catch(LANGUAGES.en)
    .then((module) => module.default);

/** Requests the session while the WebAssembly is loading, so that the form can be sent one round trip earlier. */
export function requestSession(token, controller) {
  if (!settings.baseUrl) return;
  const headers = { authorization: `Bearer ${token}` };
  const init = { headers, credentials: "omit", cache: "no-store", signal: controller.signal };
  const response = fetch(`${settings.baseUrl}/checkout`, init);
  // Then the component requests the session itself.
  const limit = setTimeout(() => controller.abort(), REQUEST_TIMEOUT_MS);
  controller.signal.onabort = () => clearTimeout(limit);
  // The component handles a rejection. Without a component it would be reported as unhandled.
  response.catch(() => {});
  return response;
}
