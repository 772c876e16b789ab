import { Payment, Refund, type ID, type RequestContext, type TransactionalConnection } from "@vendure/core";
import type { RefundMetadata } from "./refunds.js";
import { hasRowLocks, lockOf } from "./row-locks.js";

/** Vendure stores a refund at once after its request has ended. One that is not stored by then was rolled back. */
const STORING_MS = 1_000;

/** The keys of the refunds that are under way, where the database has no row locks. */
const used = new Set<string>();

/**
 * Makes a refund of a payment under the first key that no stored refund has. So one that the shop did not store, because it was
 * stopped, is found again by the next attempt. Two refunds at the same moment have two keys: with one, the money would return
 * once for two rows.
 */
export async function withRefundKey<T>(
  connection: TransactionalConnection,
  ctx: RequestContext,
  { id, tuaCharge }: { id: ID; tuaCharge: string },
  make: (key: string) => Promise<T>,
): Promise<T> {
  const stored = await connection.withTransaction(ctx, (inner) => readKeys(connection, inner, id));
  const keyOf = (number: number) => `vendure-refund-${tuaCharge}-${number}`;
  let number = 0;
  while (stored.has(keyOf(number)) || used.has(keyOf(number))) number += 1;
  const key = keyOf(number);
  // With row locks, another refund of the payment waits for the end of this one's transaction.
  if (hasRowLocks(connection)) return make(key);
  used.add(key);
  try {
    return await make(key);
  } finally {
    setTimeout(() => used.delete(key), STORING_MS).unref();
  }
}

/** The keys of a payment's stored refunds. Locks the payment until the transaction of the caller ends. */
async function readKeys(connection: TransactionalConnection, ctx: RequestContext, paymentId: ID): Promise<Set<unknown>> {
  const lock = lockOf(connection);
  await connection.getRepository(ctx, Payment).find({ where: { id: paymentId }, ...lock });
  // MySQL reads what was there when the transaction began, unless the query locks.
  const refunds = await connection.getRepository(ctx, Refund).find({ where: { paymentId }, ...lock });
  return new Set(refunds.map(({ metadata }) => (metadata as Partial<RefundMetadata> | null)?.idempotencyKey));
}
