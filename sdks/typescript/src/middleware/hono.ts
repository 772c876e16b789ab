import type { Webhook } from "../webhook.js";
import { handleRequest } from "./fetch.js";
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
