import { TuaUsageError } from "./errors.js";

export interface TuaOptions {
  /** A secret key: `tua_test_v2_…` or `tua_live_v2_…`. It never leaves the server. Without it, the client throws. */
  secretKey: string | undefined;
  /** The API root, such as `https://pay.example/v1`. Without it, the client throws. */
  baseUrl: string | undefined;
  /** Milliseconds for one attempt. Default: 10,000. */
  timeout?: number | undefined;
  /** Milliseconds for a call with all its attempts. Default: 60,000. */
  totalTimeout?: number | undefined;
  /** How many times a failed attempt is repeated. Default: 3. */
  maxRetries?: number | undefined;
  /** Another implementation of `fetch`, for a proxy or a test. */
  fetch?: typeof fetch | undefined;
}

export interface Config {
  secretKey: string;
  baseUrl: string;
  timeout: number;
  totalTimeout: number;
  maxRetries: number;
  fetch: typeof fetch;
}

const KEY = /^(tua_(test|live)_v2_|sk_(test|live)_)[A-Za-z0-9_-]+$/;
const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;

/** Checks the options. No message contains the key. */
export function readOptions(options: TuaOptions): Config {
  refuseBrowser();
  const secretKey = refuseUnset("secretKey", options.secretKey, "TUA_SECRET_KEY");
  const baseUrl = refuseUnset("baseUrl", options.baseUrl, "TUA_API_URL");
  if (typeof secretKey !== "string" || !KEY.test(secretKey)) {
    throw new TuaUsageError(
      String(secretKey).startsWith("tua_checkout_")
        ? "secretKey is a checkout token, which is for the payer's browser. Use the secret key tua_test_v2_… or tua_live_v2_…."
        : "secretKey is not a secret key of Tua: it begins with tua_test_v2_ or tua_live_v2_, without spaces or quotes.",
    );
  }
  const url = readUrl(baseUrl);
  if (url.protocol === "http:" && /^(tua|sk)_live_/.test(secretKey) && !LOOPBACK.test(url.hostname)) {
    throw new TuaUsageError("A live key is sent over https only: change baseUrl to https://….");
  }
  const { timeout = 10_000, totalTimeout = 60_000, maxRetries = 3 } = options;
  for (const [name, value] of Object.entries({ timeout, totalTimeout, maxRetries })) {
    if (!Number.isFinite(value) || value < 0) throw new TuaUsageError(`${name} is ${value}. It is a number from 0.`);
  }
  return {
    secretKey,
    baseUrl: url.href.replace(/\/+$/, ""),
    timeout,
    totalTimeout,
    maxRetries,
    fetch: options.fetch ?? globalThis.fetch,
  };
}

/** Whether an option has no value. An environment variable that is empty counts as unset. */
export function isUnset(value: string | null | undefined): value is "" | null | undefined {
  return value === undefined || value === null || value === "";
}

/** The value of an option. Throws where it has none, with the name of the variable in the documentation. */
export function refuseUnset(option: string, value: string | undefined, variable: string): string {
  if (!isUnset(value)) return value;
  const found = value === "" ? "empty" : String(value);
  throw new TuaUsageError(`${option} is ${found}: is ${variable} set for this process?`);
}

function readUrl(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) {
    throw new TuaUsageError(`baseUrl is ${JSON.stringify(baseUrl)}. It is the API root, such as https://pay.example/v1.`);
  }
  const url = new URL(baseUrl);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new TuaUsageError("baseUrl begins with https://, or with http:// in test mode.");
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TuaUsageError("baseUrl has no user name, query or fragment.");
  }
  if (!/\/v1\/*$/.test(url.pathname)) {
    throw new TuaUsageError(`baseUrl ends with /v1, such as ${url.origin}/v1.`);
  }
  return url;
}

function refuseBrowser(): void {
  const { window, WorkerGlobalScope, navigator } = globalThis as Record<string, unknown>;
  const hasDocument = typeof window === "object" && window !== null && "document" in window;
  // Cloudflare Workers run on servers, but have the globals of a browser's worker.
  const isOnServer = (navigator as { userAgent?: unknown } | undefined)?.userAgent === "Cloudflare-Workers";
  if (hasDocument || (typeof WorkerGlobalScope === "function" && !isOnServer)) {
    throw new TuaUsageError(
      "This is a browser, where everybody can read a secret key. Create the checkout on your server, and give the page " +
        "its checkoutToken only. (A test that runs in jsdom: select the environment node.)",
    );
  }
}
