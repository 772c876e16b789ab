// What the compiler must accept and refuse. `npm run check` compiles this file; nothing runs it.
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { CartCheckout, isCheckoutEvent, isRefundEvent, isTransactionEvent, Tua, TuaError, Webhook } from "../src/index.js";
import type { Checkout, Event, Transaction } from "../src/index.js";
import * as onExpress from "../src/middleware/express.js";
import * as onFastify from "../src/middleware/fastify.js";
import * as onHono from "../src/middleware/hono.js";

/** A branch that no value can reach. */
function never(value: never): never {
  throw new Error(String(value));
}

export function describeTransaction(transaction: Transaction): string {
  switch (transaction.status) {
    case "PENDING":
      // @ts-expect-error a pending transaction has no failure
      return transaction.failure.code;
    case "SUCCESSFUL":
      return transaction.amount;
    case "FAILED":
      return transaction.failure.code;
    default:
      return never(transaction);
  }
}

export function forgetsPending(transaction: Transaction): string {
  switch (transaction.status) {
    case "SUCCESSFUL":
      return "paid";
    case "FAILED":
      return "failed";
    default:
      // @ts-expect-error PENDING is left
      return never(transaction);
  }
}

export function describeEvent(event: Event): string {
  switch (event.type) {
    case "checkout.paid":
      return event.data.checkoutId;
    case "refund.failed":
      return event.data.refundId;
    case "charge.successful":
      return event.data.transactionId;
    case "unknown":
      return event.originalType;
    default:
      return event.type;
  }
}

export function findReference(event: Event): string | null | undefined {
  if (isCheckoutEvent(event) || isTransactionEvent(event)) return event.data.reference;
  if (isRefundEvent(event)) return event.data.refundId;
  // @ts-expect-error data of the other events has no reference
  return event.data.reference;
}

export async function charge(tua: Tua, checkout: Checkout): Promise<void> {
  // @ts-expect-error a number is no amount
  await tua.charges.create({ amount: 18, phoneNumber: "0241234567", network: "MTN" });
  // @ts-expect-error an amount is required
  await tua.charges.create({ phoneNumber: "0241234567", network: "MTN" });
  await tua.charges.create({ amount: checkout.amount, phoneNumber: "0241234567", network: "MTN", payeeNote: undefined });
  // @ts-expect-error SUCCESSFUL is the status of a charge
  if (checkout.status === "SUCCESSFUL") return;
}

/** A shop's `catch` needs one class. */
export function repeatsLater(error: unknown): string | undefined {
  if (!(error instanceof TuaError)) throw error;
  return error.outcomeUnknown ? error.idempotencyKey : undefined;
}

export function registersWebhooks(webhook: Webhook): void {
  const handler = (event: Event): void => void event;
  express().post("/webhooks", onExpress.tuaWebhook(webhook, handler));
  fastify().register(onFastify.tuaWebhook, { path: "/webhooks", webhook, handler });
  new Hono().post("/webhooks", onHono.tuaWebhook(webhook, handler));
}

export function registersCarts(tua: Tua): void {
  const cart = new CartCheckout(tua, { findItems: async (skus) => skus.map((sku) => ({ sku, name: sku, price: "1.00" })) });
  express().post("/checkout", onExpress.tuaCheckout(cart));
  fastify().register(onFastify.tuaCheckout, { path: "/checkout", cart });
  new Hono().post("/checkout", onHono.tuaCheckout(cart, { clientAddress: (request) => request.headers.get("x-real-ip") ?? undefined }));
  // @ts-expect-error a price is a string
  new CartCheckout(tua, { findItems: (skus) => skus.map((sku) => ({ sku, name: sku, price: 1 })) });
}

export async function followsEvents(tua: Tua, signal: AbortSignal): Promise<string | undefined> {
  for await (const event of tua.events.follow({ after: "msg_1", type: ["checkout.paid", "checkout.later"], signal })) {
    if (event.type === "checkout.paid") return event.data.reference;
  }
  // @ts-expect-error a time is a string
  tua.events.list({ from: new Date() });
  return undefined;
}

export async function addsEndpoint(tua: Tua): Promise<string> {
  const { secret } = await tua.webhookEndpoints.create({ url: "https://shop.example/webhooks" });
  // @ts-expect-error the secret may be null
  if (secret.length === 0) return "";
  // @ts-expect-error overlapHours is a number
  await tua.webhookEndpoints.rotate("whe_1", { overlapHours: "24" });
  return secret ?? "";
}

/** Under `exactOptionalPropertyTypes`, which this package is compiled with. */
export function acceptsUndefinedOptions(tua: Tua, secrets: string): [Tua, Webhook, CartCheckout] {
  const limits = { timeout: undefined, totalTimeout: undefined, maxRetries: undefined, fetch: undefined };
  const cart = { findItems: () => [], donation: undefined, returnUrl: undefined, maxOpenSessions: undefined };
  return [new Tua({ secretKey: undefined, baseUrl: undefined, ...limits }), new Webhook({ secrets, tolerance: undefined }), new CartCheckout(tua, cart)];
}

/** As in the README: an environment variable may be absent. */
export function createFromEnvironment(): [Tua, Webhook, Webhook] {
  const { TUA_SECRET_KEY, TUA_API_URL, TUA_WEBHOOK_SECRET, OLD_WEBHOOK_SECRET } = process.env;
  const tua = new Tua({ secretKey: TUA_SECRET_KEY, baseUrl: TUA_API_URL });
  return [tua, new Webhook({ secrets: TUA_WEBHOOK_SECRET }), new Webhook({ secrets: [TUA_WEBHOOK_SECRET, OLD_WEBHOOK_SECRET] })];
}
