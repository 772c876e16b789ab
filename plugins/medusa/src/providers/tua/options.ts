import { Tua, Webhook } from "@tua-pay/node";

/** The options of the provider in `medusa-config`. */
export interface TuaOptions {
  /** The secret key: `tua_test_v2_…` for test payments, `tua_live_v2_…` for real ones. */
  secretKey: string;
  /** The API root of the service, such as `https://pay.example/v1`. */
  baseUrl: string;
  /** The secret of the webhook endpoint, `whsec_…`. While it is being rotated: the new one and the old one. */
  webhookSecret: string | string[];
  /** The storefront's page to which the hosted page links back. A storefront may name another page of the same origin. */
  returnUrl: string;
}

/** How long a request of a shopper or an administrator may take with all its attempts, in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;
/**
 * How old a webhook may be, in seconds. Medusa confirms it at once and verifies it when its queue comes to it, so a refusal
 * loses it. An old one, or one that somebody sends again, does no harm: for money the state of now is asked, and people are
 * told once.
 */
const WEBHOOK_AGE_SECONDS = 86_400;

/** Test payments move no money. */
export type Mode = "test" | "live";

/** What the options lead to. */
export interface Connection {
  tua: Tua;
  webhook: Webhook;
  returnUrl: URL;
  mode: Mode;
}

/** Checks the options. No message contains a secret. */
export function connect(options: TuaOptions): Connection {
  const { secretKey, baseUrl, webhookSecret, returnUrl } = options;
  const tua = new Tua({ secretKey, baseUrl, totalTimeout: REQUEST_TIMEOUT_MS });
  const webhook = new Webhook({ secrets: webhookSecret, tolerance: WEBHOOK_AGE_SECONDS });
  if (!URL.canParse(returnUrl)) {
    throw new Error(
      "Tua: the option returnUrl is the address of a page of the storefront, such as https://shop.example/checkout/return.",
    );
  }
  return { tua, webhook, returnUrl: new URL(returnUrl), mode: /^(tua|sk)_live_/.test(secretKey) ? "live" : "test" };
}
