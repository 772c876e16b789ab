import type { IncomingMessage, ServerResponse } from "node:http";
import { MAX_CART_BYTES, type CartCheckout } from "../cart/checkout.js";
import type { Webhook } from "../webhook.js";
import { bodyParsed, bodyTooLarge, MAX_BODY_BYTES } from "../webhook.js";
import { describe, respond, type EventHandler } from "./respond.js";

const ADVICE =
  'Register this route before app.use(express.json()), or give it express.raw({ type: "application/json" }) ' +
  "and exclude it from express.json().";

/** A request of Express or of `node:http`. */
type Incoming = IncomingMessage & { body?: unknown; ip?: string | undefined };

/** A handler of Express: `app.post("/webhooks", tuaWebhook(webhook, handler))`, before `express.json()`. */
export function tuaWebhook(
  webhook: Webhook,
  handler: EventHandler,
): (request: Incoming, response: ServerResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const { status, text, error } = await respond(webhook, () => readBody(request), request.headers, handler);
      if (error !== undefined) console.error("webhook:", describe(error));
      if (response.headersSent) return error === undefined ? undefined : next?.(error);
      send(response, status, text);
    } catch (error) {
      // The connection broke while the body was read. A rejected promise would end the process.
      if (next) return next(error);
      if (!response.headersSent) send(response, 400, "The body could not be read.\n");
    }
  };
}

/**
 * A handler of Express or of `node:http`: `app.post("/checkout", tuaCheckout(cart))`. The address of the client is Express's
 * `request.ip`, which follows its setting `trust proxy`, or that of the connection.
 */
export function tuaCheckout(cart: CartCheckout): (request: Incoming, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { headers } = request;
    const { status, headers: fields, body, error } = await cart.respond({
      contentType: headers["content-type"],
      contentEncoding: headers["content-encoding"],
      body: () => readCart(request),
      address: request.ip ?? request.socket.remoteAddress,
    });
    if (error !== undefined) console.error("checkout:", error);
    // The rest of a body that is too large is not read.
    response.writeHead(status, status === 413 ? { ...fields, connection: "close" } : fields).end(body);
  };
}

/**
 * The body of a cart. It may have been parsed already, because nothing is signed. A parser of Express 4 sets `body` to an
 * empty object also where it has read nothing.
 */
async function readCart(request: Incoming): Promise<Uint8Array> {
  const { body } = request;
  if (!request.readableDidRead && !request.readableEnded) return collect(request, MAX_CART_BYTES, (bytes) => bytes);
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
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
  return collect(request, MAX_BODY_BYTES, () => {
    throw bodyTooLarge();
  });
}

/**
 * Reads the body. What is longer than the limit is cut and given to `cut`. (A loop with `for await` would close the
 * connection before the response is sent.)
 */
function collect(request: Incoming, limit: number, cut: (bytes: Buffer) => Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      request.removeAllListeners("data").pause();
      try {
        resolve(cut(Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
  });
}
