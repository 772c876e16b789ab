import type { IncomingMessage, ServerResponse } from "node:http";
import type { Webhook } from "../webhook.js";
import { bodyParsed } from "../webhook.js";
import { respond, type EventHandler } from "./respond.js";

const ADVICE =
  'Register this route before app.use(express.json()), or give it express.raw({ type: "application/json" }) ' +
  "and exclude it from express.json().";

/** A request of Express or of `node:http`. */
type Incoming = IncomingMessage & { body?: unknown };

/** A handler of Express: `app.post("/webhooks", tuaWebhook(webhook, handler))`, before `express.json()`. */
export function tuaWebhook(
  webhook: Webhook,
  handler: EventHandler,
): (request: Incoming, response: ServerResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    const { status, text, error } = await respond(webhook, () => readBody(request), request.headers, handler);
    if (error !== undefined) console.error("webhook:", error);
    if (response.headersSent) return next?.(error);
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
  };
}

async function readBody(request: Incoming): Promise<Uint8Array | string> {
  const { body } = request;
  if (body instanceof Uint8Array || typeof body === "string") return body;
  if (request.readableEnded || request.readableDidRead) throw bodyParsed(ADVICE);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
