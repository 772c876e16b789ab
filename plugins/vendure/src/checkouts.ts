import {
  fromPesewas,
  TuaApiError,
  TuaRequestError,
  TuaUsageError,
  type Checkout,
  type CheckoutRequest,
  type OpenedCheckout,
  type Tua,
} from "@tua-pay/node";
import { Logger } from "@vendure/core";
import { connect, modeOf, type TuaArgs } from "./connection.js";
import { LOG_CONTEXT } from "./log-context.js";
import type { TuaMetadata } from "./payment-state.js";

export const NOT_CONFIRMED = "The mobile money payment is not confirmed yet. Please do not pay again.";
export const ALREADY_PAID = "The mobile money payment of this order has arrived. Please do not pay again.";
export const NOTHING_BEGAN = "The mobile money payment could not begin. No money moved. Please try again.";
export const UNKNOWN = "It is not known yet whether the payment has arrived. If you have paid, please do not pay again.";

/** How many checkouts one order can have had. */
const ATTEMPT_LIMIT = 200;

export interface CheckoutOrder {
  orderCode: string;
  /** How many payments of this method the order has: the number of the attempt. */
  attempt: number;
  pesewas: number;
  email: string;
  returnUrl: string;
}

/**
 * Opens the checkout of an attempt. A repeated request of the same attempt gets the same checkout, also where the shop was
 * stopped before it stored the first one.
 */
export async function openCheckout(tua: Tua, order: CheckoutOrder): Promise<OpenedCheckout> {
  const { orderCode, pesewas, email, returnUrl } = order;
  const request = { amount: fromPesewas(pesewas), email, reference: orderCode, returnUrl, metadata: { vendureOrder: orderCode } };
  for (let attempt = order.attempt; attempt < ATTEMPT_LIMIT; attempt += 1) {
    const opened = await create(tua, request, `vendure-${orderCode}-${attempt}`);
    if (opened && (await isOpen(tua, opened.checkoutId))) return opened;
  }
  throw new PaymentRefusal("This order has had too many checkouts. Please begin with a new order.");
}

/** The checkout of a key; undefined where the key is of another request. */
async function create(tua: Tua, request: CheckoutRequest, idempotencyKey: string): Promise<OpenedCheckout | undefined> {
  try {
    return await tua.checkouts.create(request, { idempotencyKey });
  } catch (error) {
    // The attempt had another amount or page, so the shop has not stored it, and no payer was given its address.
    if (error instanceof TuaApiError && error.code === "idempotency_key_reused") return undefined;
    throw toRefusal(error, NOTHING_BEGAN);
  }
}

/** Whether a checkout can be paid; false where it is over. Another tab of the payer may have it too. */
async function isOpen(tua: Tua, checkoutId: string): Promise<boolean> {
  const checkout = await tua.checkouts.get(checkoutId).catch((error: unknown) => {
    throw toRefusal(error, UNKNOWN);
  });
  const status = statusOf(checkout);
  if (status === "PENDING") throw new PaymentRefusal(NOT_CONFIRMED);
  if (status === "PAID") throw new PaymentRefusal(ALREADY_PAID);
  return status === "OPEN";
}

/**
 * Whether a live key does not find a test checkout: the shop went live after the payment had begun. Such a checkout moves no
 * money, so it is over. The opposite is not decided here: a live checkout that a test key does not find may still be paid.
 */
function isTestLeftBehind(error: unknown, stored: TuaMetadata, args: TuaArgs): boolean {
  const isUnknown = error instanceof TuaApiError && error.code === "not_found";
  return isUnknown && stored.public.mode === "test" && modeOf(args) === "live";
}

/**
 * The status of a checkout. A review can find that no money of a paid one arrived: then it is closed, unless another charge of it
 * is pending.
 */
export function statusOf({ status, paidTransaction, transaction }: Checkout): Checkout["status"] {
  if (status !== "PAID" || paidTransaction !== null) return status;
  return transaction?.status === "PENDING" ? "PENDING" : "CLOSED";
}

/** The status of a checkout now. One of test mode that the shop left behind when it went live counts as closed. */
export async function askStatus(args: TuaArgs, stored: TuaMetadata): Promise<Checkout["status"]> {
  try {
    return statusOf(await connect(args).checkouts.get(stored.tuaCheckout));
  } catch (error) {
    if (isTestLeftBehind(error, stored, args)) return "CLOSED";
    throw error;
  }
}

/** Closes a checkout, so that nobody can pay it any more. Returns why it cannot be closed. */
export async function closeCheckout(args: TuaArgs, stored: TuaMetadata): Promise<string | undefined> {
  try {
    await connect(args).checkouts.close(stored.tuaCheckout);
    return undefined;
  } catch (error) {
    if (isTestLeftBehind(error, stored, args)) return undefined;
    if (error instanceof TuaUsageError) {
      // A field of the payment method is wrong: the people of the shop read which one in the log.
      Logger.error(`Checkout ${stored.tuaCheckout}: ${error.message}`, LOG_CONTEXT);
      return UNKNOWN;
    }
    if (error instanceof TuaApiError && error.code === "charge_in_progress") return NOT_CONFIRMED;
    if (error instanceof TuaApiError && error.code === "checkout_already_paid") return explainPaid(args, stored);
    return toRefusal(error, UNKNOWN).message;
  }
}

/** Why a checkout that was paid is not over; undefined where a review found that no money arrived, so it is. */
async function explainPaid(args: TuaArgs, stored: TuaMetadata): Promise<string | undefined> {
  try {
    const status = await askStatus(args, stored);
    if (status === "CLOSED") return undefined;
    return status === "PENDING" ? NOT_CONFIRMED : ALREADY_PAID;
  } catch (error) {
    return toRefusal(error, UNKNOWN).message;
  }
}

/** A sentence for the payer. */
export class PaymentRefusal extends Error {}

/** The sentence for an error of the SDK. It has no secret. An error of the program itself is thrown as it is. */
export function toRefusal(error: unknown, unanswered: string): PaymentRefusal {
  if (error instanceof PaymentRefusal) return error;
  if (error instanceof TuaApiError && !error.outcomeUnknown && error.status < 500 && error.status !== 429) {
    return new PaymentRefusal(`Tua refused: ${error.message}`);
  }
  if (error instanceof TuaRequestError) return new PaymentRefusal(`${unanswered} (${error.message})`);
  throw error;
}
