/*
 * Loads the WebAssembly, the texts and the session of a checkout.
 */
import init from "./tua_embed.js";

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

let loading;
/** Loads the WebAssembly, once per page. After a failure the next call tries again. */
export function load() {
  loading ??= init({ module_or_path: settings.wasmUrl ?? new URL("tua_embed_bg.wasm", import.meta.url) }).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
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
