import type { CartCheckout } from "../cart/checkout.js";
import type { Webhook } from "../webhook.js";
import { handleCart, handleRequest, type CheckoutOptions } from "./fetch.js";
import type { EventHandler } from "./respond.js";

const ADVICE = "Register the route before middleware that calls c.req.json() or c.req.parseBody().";

/** The part of Hono's context that is used. */
interface Context {
  req: { raw: Request };
}

/** A handler of Hono: `app.post("/webhooks", tuaWebhook(webhook, handler))`. */
export function tuaWebhook(webhook: Webhook, handler: EventHandler): (context: Context) => Promise<Response> {
  return (context) => handleRequest(webhook, context.req.raw, handler, ADVICE);
}

/** A handler of Hono: `app.post("/checkout", tuaCheckout(cart))`. */
export function tuaCheckout(cart: CartCheckout, options: CheckoutOptions = {}): (context: Context) => Promise<Response> {
  return (context) => handleCart(cart, context.req.raw, options);
}
