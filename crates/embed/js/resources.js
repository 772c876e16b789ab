/*
 * What a checkout loads: the WebAssembly, the texts and the session; and where from.
 */
import init from "./tua_embed.js";

/* Each is fetched only where it is used. */
const LANGUAGES = {
  en: () => import("./locales/en.js"),
  fr: () => import("./locales/fr.js"),
  ar: () => import("./locales/ar.js"),
  tw: () => import("./locales/tw.js"),
  ee: () => import("./locales/ee.js"),
  ha: () => import("./locales/ha.js"),
};
/* No native speaker has reviewed these: only a tag that names one of them gets it. */
const PREVIEWS = ["tw", "ee", "ha"];
/* As long as any other request of the component (src/shell/job.rs). */
const REQUEST_TIMEOUT_MS = 40_000;

/* Where the script is from. Not with two arguments: bundlers would look for a file of that name. */
const { origin } = new URL(import.meta.url);
export const settings = {
  baseUrl: origin.startsWith("http") ? `${origin}/v1` : undefined,
  wasmUrl: undefined,
};

/** Sets where the API is, once per page, before the first checkout; only a bundled copy needs it. */
export function configure({ baseUrl, wasmUrl } = {}) {
  if (baseUrl !== undefined) settings.baseUrl = String(baseUrl).replace(/\/+$/, "");
  if (wasmUrl !== undefined) settings.wasmUrl = wasmUrl;
}

let loading;
/** The WebAssembly, once per page; a failure is not remembered, so that a later try can succeed. */
export function load() {
  loading ??= init({ module_or_path: settings.wasmUrl ?? new URL("tua_embed_bg.wasm", import.meta.url) }).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const primary = (tag) => tag?.toLowerCase().split("-")[0];

/** The language of the nearest element around that has one, across shadow roots. */
function languageAround(node) {
  while ((node = node.parentNode ?? node.host)) if (node.lang) return node.lang;
}

export function languageOf(element) {
  const own = primary(element.getAttribute("lang"));
  if (Object.hasOwn(LANGUAGES, own)) return own;
  const wanted = [languageAround(element), ...navigator.languages].map(primary);
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language) && !PREVIEWS.includes(language)) ?? "en";
}

/** The texts; English where they cannot be loaded. */
export const textsOf = (language) =>
  LANGUAGES[language]()
    .catch(LANGUAGES.en)
    .then((module) => module.default);

/** Requests the session while the WebAssembly is on its way: a round trip less before the form can be sent. */
export function requestSession(token, controller) {
  if (!settings.baseUrl) return;
  const headers = { authorization: `Bearer ${token}` };
  const init = { headers, credentials: "omit", cache: "no-store", signal: controller.signal };
  const response = fetch(`${settings.baseUrl}/checkout`, init);
  // After that the component requests it by itself.
  const limit = setTimeout(() => controller.abort(), REQUEST_TIMEOUT_MS);
  controller.signal.onabort = () => clearTimeout(limit);
  // The component handles a failure; nobody may be left to.
  response.catch(() => {});
  return response;
}
