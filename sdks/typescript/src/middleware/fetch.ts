import type { Webhook } from "../webhook.js";
import { bodyParsed } from "../webhook.js";
import { respond, type EventHandler } from "./respond.js";

/** Answers a webhook in any framework with the requests of `fetch`. `advice` is for a body that was read already. */
export async function handleRequest(webhook: Webhook, request: Request, handler: EventHandler, advice: string): Promise<Response> {
  const readBody = async () => {
    if (request.bodyUsed) throw bodyParsed(advice);
    return new Uint8Array(await request.arrayBuffer());
  };
  const { status, text, error } = await respond(webhook, readBody, request.headers, handler);
  if (error !== undefined) console.error("webhook:", error);
  return new Response(status === 204 ? null : text, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
