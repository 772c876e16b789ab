import type { FastifyInstance } from "fastify";
import type { Webhook } from "../webhook.js";
import { bodyParsed, MAX_BODY_BYTES } from "../webhook.js";
import { respond, type EventHandler } from "./respond.js";

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
    if (error !== undefined) request.log.error(error, "webhook");
    return reply.code(status).type("text/plain; charset=utf-8").send(text);
  });
}
