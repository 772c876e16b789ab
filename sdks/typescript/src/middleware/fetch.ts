import { MAX_CART_BYTES, type CartCheckout } from "../cart/checkout.js";
import type { Webhook } from "../webhook.js";
import { bodyParsed, bodyTooLarge, MAX_BODY_BYTES } from "../webhook.js";
import { describe, respond, type EventHandler } from "./respond.js";

/** Answers a webhook in any framework with the requests of `fetch`. `advice` is for a body that was read already. */
export async function handleRequest(webhook: Webhook, request: Request, handler: EventHandler, advice: string): Promise<Response> {
  const readBody = async () => {
    if (request.bodyUsed) throw bodyParsed(advice);
    const body = await collect(request, MAX_BODY_BYTES);
    if (body.length > MAX_BODY_BYTES) throw bodyTooLarge();
    return body;
  };
  const { status, text, error } = await respond(webhook, readBody, request.headers, handler);
  if (error !== undefined) console.error("webhook:", describe(error));
  return new Response(status === 204 ? null : text, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

export interface CheckoutOptions {
  /** The address of the client, from a header that your proxy sets. Without it, nothing is limited by address. */
  clientAddress?: (request: Request) => string | undefined;
}

/** Opens a checkout for the cart of a page in any framework with the requests of `fetch`. */
export async function handleCart(cart: CartCheckout, request: Request, { clientAddress }: CheckoutOptions): Promise<Response> {
  const { status, headers, body, error } = await cart.respond({
    contentType: request.headers.get("content-type"),
    contentEncoding: request.headers.get("content-encoding"),
    body: () => collect(request, MAX_CART_BYTES),
    address: clientAddress?.(request),
  });
  if (error !== undefined) console.error("checkout:", error);
  return new Response(body, { status, headers });
}

/** Reads the body until it is longer than the limit. */
async function collect(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    chunks.push(part.value);
    size += part.value.length;
    if (size <= limit) continue;
    await reader?.cancel();
    break;
  }
  return Buffer.concat(chunks);
}
