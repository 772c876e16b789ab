import type { IncomingMessage, ServerResponse } from "node:http";
import type { Webhook } from "../webhook.js";
import { bodyParsed, bodyTooLarge, MAX_BODY_BYTES } from "../webhook.js";
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
    try {
      const { status, text, error } = await respond(webhook, () => readBody(request), request.headers, handler);
      if (error !== undefined) console.error("webhook:", error);
      if (response.headersSent) return error === undefined ? undefined : next?.(error);
      send(response, status, text);
    } catch (error) {
      // The connection broke while the body was read. A rejected promise would end the process.
      if (next) return next(error);
      if (!response.headersSent) send(response, 400, "The body could not be read.\n");
    }
  };
}

function send(response: ServerResponse, status: number, text: string): void {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  // The rest of a body that is too large is not read.
  response.writeHead(status, status === 413 ? { ...headers, connection: "close" } : headers).end(text);
}

async function readBody(request: Incoming): Promise<Uint8Array | string> {
  const { body } = request;
  if (body instanceof Uint8Array || typeof body === "string") return body;
  if (request.readableEnded || request.readableDidRead) throw bodyParsed(ADVICE);
  return collect(request);
}

/** Reads the body, up to 1 MiB. (A loop with `for await` would close the connection before the response is sent.) */
function collect(request: Incoming): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) return chunks.push(chunk);
      request.removeAllListeners("data").pause();
      reject(bodyTooLarge());
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
  });
}
