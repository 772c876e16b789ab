import { Tua, Webhook } from "@tua-pay/node";

/** The values of the payment method's fields in the Admin UI. */
export interface TuaArgs {
  secretKey: string;
  baseUrl: string;
  webhookSecret: string;
  returnUrl: string;
}

/** Test payments move no money. */
export type Mode = "test" | "live";

/** The mode of a payment method: that of its key. */
export function modeOf({ secretKey }: TuaArgs): Mode {
  return /^(tua|sk)_live_/.test(secretKey.trim()) ? "live" : "test";
}

/** How long a request of a shopper may take with all its attempts, in milliseconds. The shop's transaction is open meanwhile. */
const REQUEST_TIMEOUT_MS = 15_000;

/** A client for the fields of a payment method. The errors of the SDK say which field is wrong, and never show it. */
export function connect({ secretKey, baseUrl }: TuaArgs): Tua {
  return new Tua({ secretKey: secretKey.trim(), baseUrl: baseUrl.trim(), totalTimeout: REQUEST_TIMEOUT_MS });
}

/** The verifier of the webhooks. During a rotation the field has both secrets, separated by a space. */
export function verifierOf({ webhookSecret }: TuaArgs): Webhook {
  return new Webhook({ secrets: webhookSecret.split(/[\s,]+/).filter((secret) => secret !== "") });
}

/** The page to return to: the one of the method, or another of the same origin that the storefront names. Undefined if refused. */
export function readReturnUrl(args: TuaArgs, wanted: unknown): string | undefined {
  if (wanted === undefined || wanted === null) return args.returnUrl;
  if (typeof wanted !== "string" || !URL.canParse(wanted) || !URL.canParse(args.returnUrl)) return undefined;
  return new URL(wanted).origin === new URL(args.returnUrl).origin ? wanted : undefined;
}
