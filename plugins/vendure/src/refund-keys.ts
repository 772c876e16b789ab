import type { Refund as TuaRefund } from "@tua-pay/node";
import { Payment, Refund, type ID, type RequestContext, type TransactionalConnection } from "@vendure/core";
import type { RefundMetadata } from "./refunds.js";
import { hasRowLocks, lockOf } from "./row-locks.js";

/** Vendure stores a refund at once after its request has ended. One that is not stored by then was rolled back. */
const STORING_MS = 1_000;
const REASON = /^Vendure refund (\d+)$/;

/** The keys of the refunds that are under way, where the database has no row locks. */
const used = new Set<string>();

/** What an administrator refunds. */
export interface WantedRefund {
  paymentId: ID;
  tuaCharge: string;
  amount: string;
}

/** A refund that begins now. */
export interface BeginningRefund {
  idempotencyKey: string;
  /** The refund at Tua where an earlier attempt has made it, and the shop has not stored it. */
  made?: TuaRefund;
}

/** An earlier refund of another amount must be taken over first. The message is for the administrator. */
export class UnstoredRefund extends Error {}

/** What a refund with this key is called at Tua, which deletes the key after seven days. */
export function reasonOf(idempotencyKey: string): string {
  return `Vendure refund ${idempotencyKey.slice(idempotencyKey.lastIndexOf("-") + 1)}`;
}

/**
 * Makes a refund of a payment under the first key that no stored refund has. Two refunds at the same moment have two keys: with
 * one, the money would return once for two rows.
 *
 * One that the shop did not store, because it was stopped, is found again by the next attempt: by its key, or once Tua may have
 * deleted the key, among `atTua`, the refunds of the charge. They were listed before this was called, so each of them is stored,
 * under way or lost. Throws UnstoredRefund.
 */
export async function withRefundKey<T>(
  connection: TransactionalConnection,
  ctx: RequestContext,
  wanted: WantedRefund,
  atTua: TuaRefund[],
  make: (refund: BeginningRefund) => Promise<T>,
): Promise<T> {
  const stored = await connection.withTransaction(ctx, (inner) => readKeys(connection, inner, wanted.paymentId));
  const refund = chooseRefund(wanted, atTua, (key) => stored.has(key) || used.has(key));
  // With row locks, another refund of the payment waits for the end of this one's transaction.
  if (hasRowLocks(connection)) return make(refund);
  const key = refund.idempotencyKey;
  used.add(key);
  try {
    return await make(refund);
  } finally {
    setTimeout(() => used.delete(key), STORING_MS).unref();
  }
}

function chooseRefund(
  { tuaCharge, amount }: WantedRefund,
  atTua: TuaRefund[],
  isKnown: (key: string) => boolean,
): BeginningRefund {
  const keyOf = (number: number | string) => `vendure-refund-${tuaCharge}-${number}`;
  const unstored: Required<BeginningRefund>[] = [];
  for (const made of atTua) {
    const number = REASON.exec(made.reason ?? "")?.[1];
    if (number === undefined || made.status === "FAILED" || isKnown(keyOf(number))) continue;
    unstored.push({ idempotencyKey: keyOf(number), made });
  }
  const same = unstored.find(({ made }) => made.amount === amount);
  if (same) return same;
  if (unstored[0]) {
    throw new UnstoredRefund(
      `An earlier refund of GHS ${unstored[0].made.amount} was begun, and Vendure did not store it. Refund exactly this amount first: it is not made twice.`,
    );
  }
  let number = 0;
  while (isKnown(keyOf(number))) number += 1;
  return { idempotencyKey: keyOf(number) };
}

/** The keys of a payment's stored refunds. Locks the payment until the transaction of the caller ends. */
async function readKeys(connection: TransactionalConnection, ctx: RequestContext, paymentId: ID): Promise<Set<unknown>> {
  const lock = lockOf(connection);
  await connection.getRepository(ctx, Payment).find({ where: { id: paymentId }, ...lock });
  // MySQL reads what was there when the transaction began, unless the query locks.
  const refunds = await connection.getRepository(ctx, Refund).find({ where: { paymentId }, ...lock });
  return new Set(refunds.map(({ metadata }) => (metadata as Partial<RefundMetadata> | null)?.idempotencyKey));
}
