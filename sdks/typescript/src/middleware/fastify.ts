import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MAX_CART_BYTES, type CartCheckout } from "../cart/checkout.js";
import type { Webhook } from "../webhook.js";
import { bodyParsed, MAX_BODY_BYTES } from "../webhook.js";
import { describe, respond, type EventHandler } from "./respond.js";

const ADVICE = "Do not add a content type parser for application/json inside the scope of this plugin.";

export interface TuaWebhookOptions {
  /** The path of the endpoint, such as `/webhooks`. */
  path: string;
  webhook: Webhook;
  handler: EventHandler;
}

/** A plugin of Fastify: `app.register(tuaWebhook, { path, webhook, handler })`. Only its own route keeps bodies unparsed. */
export async function tuaWebhook(fastify: FastifyInstance, { path, webhook, handler }: TuaWebhookOptions): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES }, (_request, body, done) => done(null, body));
  fastify.post(path, async (request, reply) => {
    const readBody = async () => {
      if (request.body instanceof Uint8Array) return request.body;
      if (request.body === undefined || request.body === null) return "";
      throw bodyParsed(ADVICE);
    };
    const { status, text, error } = await respond(webhook, readBody, request.headers, handler);
    if (error !== undefined) log(request, "webhook:", describe(error));
    return reply.code(status).type("text/plain; charset=utf-8").send(text);
  });
}

/** Fastify's own log is silent where the shop has not switched it on. */
function log(request: FastifyRequest, what: string, error: unknown): void {
  if (request.server.log.level === undefined) return console.error(what, error);
  if (typeof error === "string") return request.log.error(`${what} ${error}`);
  request.log.error(error, what);
}

export interface TuaCheckoutOptions {
  /** The path of the route, such as `/checkout`. */
  path: string;
  cart: CartCheckout;
}

/**
 * A plugin of Fastify: `app.register(tuaCheckout, { path, cart })`. The address of the client is `request.ip`, which follows
 * Fastify's setting `trustProxy`.
 */
export async function tuaCheckout(fastify: FastifyInstance, { path, cart }: TuaCheckoutOptions): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MAX_CART_BYTES }, (_request, body, done) => done(null, body));
  const answer = async (request: FastifyRequest, reply: FastifyReply, content: Uint8Array) => {
    const { status, headers, body, error } = await cart.respond({
      contentType: request.headers["content-type"],
      contentEncoding: request.headers["content-encoding"],
      body: async () => content,
      address: request.ip,
    });
    if (error !== undefined) log(request, "checkout:", error);
    return reply.code(status).headers(headers).send(Buffer.from(body));
  };
  fastify.setErrorHandler((error: Error & { code?: string }, request, reply) => {
    if (error.code !== "FST_ERR_CTP_BODY_TOO_LARGE") throw error;
    return answer(request, reply, new Uint8Array(MAX_CART_BYTES + 1));
  });
  fastify.post(path, (request, reply) => answer(request, reply, request.body instanceof Uint8Array ? request.body : new Uint8Array()));
}
