import { TuaWebhookError } from "../errors.js";
import type { Event } from "../events.js";
import type { Webhook, WebhookHeaders } from "../webhook.js";

/** What the shop does with an event. Where it throws, the service sends the event again. */
export type EventHandler = (event: Event) => void | Promise<void>;

export interface WebhookResponse {
  status: 204 | 400 | 413 | 500;
  /** It leaves the shop, so it holds nothing of the handler's error. */
  text: string;
  /** Why the delivery was refused, or what the handler threw. */
  error?: unknown;
}

/** The error of a response for the log of the shop. A refusal is one line. */
export function describe(error: unknown): unknown {
  return error instanceof TuaWebhookError ? `refused: ${error.message}` : error;
}

/**
 * Verifies a delivery and runs the handler: 204, 400 for a delivery that is not verified, 413 for a body of more than 1 MiB,
 * 500 where the handler threw. Rejects where the body could not be read, because the connection broke.
 */
export async function respond(
  webhook: Webhook,
  body: () => Promise<Uint8Array | string>,
  headers: WebhookHeaders,
  handler: EventHandler,
): Promise<WebhookResponse> {
  let event: Event;
  try {
    event = webhook.verify(await body(), headers);
  } catch (error) {
    if (!(error instanceof TuaWebhookError)) throw error;
    return { status: error.code === "body_too_large" ? 413 : 400, text: `${error.message}\n`, error };
  }
  try {
    await handler(event);
  } catch (error) {
    return { status: 500, text: "The shop could not process the event. Send it again.\n", error };
  }
  return { status: 204, text: "" };
}
