import type { Webhook } from "../webhook.js";
import { bodyParsed, bodyTooLarge, MAX_BODY_BYTES } from "../webhook.js";
import { respond, type EventHandler } from "./respond.js";

/** Answers a webhook in any framework with the requests of `fetch`. `advice` is for a body that was read already. */
export async function handleRequest(webhook: Webhook, request: Request, handler: EventHandler, advice: string): Promise<Response> {
  const readBody = async () => {
    if (request.bodyUsed) throw bodyParsed(advice);
    return collect(request);
  };
  const { status, text, error } = await respond(webhook, readBody, request.headers, handler);
  if (error !== undefined) console.error("webhook:", error);
  return new Response(status === 204 ? null : text, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** Reads the body, up to 1 MiB. */
async function collect(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size > MAX_BODY_BYTES) {
      await reader?.cancel();
      throw bodyTooLarge();
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}
