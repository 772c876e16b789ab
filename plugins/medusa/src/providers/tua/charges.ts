import { toPesewas, type Checkout, type Refund, type Transaction, type Tua } from "@tua-pay/node";

/** What a paid checkout has brought. */
export interface Payment {
  /** The charge that paid it; null where none is found. */
  charge: Transaction | null;
  /** Whether all of its money is returned or on its way back. */
  isReturned: boolean;
}

/** Whether the money of a charge has arrived, by any report of its operator, unless a review found that it did not. */
export function isReceived({ status, conflict }: Transaction): boolean {
  return isReported(status, conflict?.observed) && conflict?.decision !== "FAILED";
}

/**
 * Finds the charge that paid a checkout. Tua shows the latest one, which may have failed: the operator may report later that an
 * earlier one was paid. Only the charge that paid can be refunded.
 *
 * Nothing left to refund does not mean that the money was returned: nothing is left either of a charge that is contradicted or
 * disputed. So the refunds decide. Throws where Tua does not respond.
 */
export async function findPayment(tua: Tua, checkout: Checkout): Promise<Payment> {
  const latest = checkout.transaction;
  if (latest && isReceived(latest) && latest.refundableAmount !== "0.00") return { charge: latest, isReturned: false };
  const charges = await tua.transactions.list({ checkoutId: checkout.checkoutId }).toArray();
  const paid = charges.filter(({ status, conflict }) => isReported(status, conflict?.observed));
  for (const charge of paid) if (!(await isReturned(tua, charge))) return { charge, isReturned: false };
  return { charge: paid[0] ?? latest, isReturned: paid.length > 0 };
}

async function isReturned(tua: Tua, charge: Transaction): Promise<boolean> {
  if (!isReceived(charge)) return true;
  if (charge.refundableAmount !== "0.00") return false;
  let returned = 0n;
  for await (const refund of tua.refunds.list({ transactionId: charge.transactionId })) {
    if (isMade(refund)) returned += toPesewas(refund.amount);
  }
  return returned >= toPesewas(charge.amount);
}

/** Whether a refund returns money: until it is known to have failed, it does. */
function isMade({ status, conflict }: Refund): boolean {
  if (conflict?.decision === "FAILED") return false;
  return status === "PENDING" || isReported(status, conflict?.observed);
}

function isReported(status: Transaction["status"], observed: string | undefined): boolean {
  return status === "SUCCESSFUL" || observed === "SUCCESSFUL";
}
