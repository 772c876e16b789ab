import type { CartCheckout } from "../cart/checkout.js";
import type { Webhook } from "../webhook.js";
import { handleCart, handleRequest, type CheckoutOptions } from "./fetch.js";
import type { EventHandler } from "./respond.js";

const ADVICE = "Do not call request.json() or request.text() before tuaWebhook.";

/** A route handler of Next.js: `export const POST = tuaWebhook(webhook, handler)` in `app/webhooks/route.ts`. */
export function tuaWebhook(webhook: Webhook, handler: EventHandler): (request: Request) => Promise<Response> {
  return (request) => handleRequest(webhook, request, handler, ADVICE);
}

/** A route handler of Next.js: `export const POST = tuaCheckout(cart)` in `app/checkout/route.ts`. */
export function tuaCheckout(cart: CartCheckout, options: CheckoutOptions = {}): (request: Request) => Promise<Response> {
  return (request) => handleCart(cart, request, options);
}
