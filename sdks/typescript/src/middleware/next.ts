import type { Webhook } from "../webhook.js";
import { handleRequest } from "./fetch.js";
import type { EventHandler } from "./respond.js";

const ADVICE = "Do not call request.json() or request.text() before tuaWebhook.";

/** A route handler of Next.js: `export const POST = tuaWebhook(webhook, handler)` in `app/webhooks/route.ts`. */
export function tuaWebhook(webhook: Webhook, handler: EventHandler): (request: Request) => Promise<Response> {
  return (request) => handleRequest(webhook, request, handler, ADVICE);
}
