import type { Checkout, Transaction, Tua } from "@tua-pay/node";

/**
 * Finds the charge that paid a checkout; null where it has none. Tua shows the latest one, which may have failed: the operator may
 * report later that an earlier one was paid. Only the charge that paid can be refunded. Throws where Tua does not respond.
 */
export async function findPaidCharge(tua: Tua, checkout: Checkout): Promise<Transaction | null> {
  const latest = checkout.transaction;
  if (!latest || isReceived(latest)) return latest;
  const charges = await tua.transactions.list({ checkoutId: checkout.checkoutId }).toArray();
  return charges.find(isReceived) ?? charges.find(isReported) ?? latest;
}

/** Whether the money of a charge has arrived, by any report of its operator, unless a review found that it did not. */
export function isReceived(charge: Transaction): boolean {
  return isReported(charge) && charge.conflict?.decision !== "FAILED";
}

/** Whether Tua counts the checkout of a charge as paid. */
function isReported({ status, conflict }: Transaction): boolean {
  return status === "SUCCESSFUL" || conflict?.observed === "SUCCESSFUL";
}
