import { toPesewas, type Refund, type Transaction, type Tua } from "@tua-pay/node";

/** Whether the money of a charge has arrived, by any report of its operator, unless a review found that it did not. */
export function isReceived({ status, conflict }: Transaction): boolean {
  return isReported(status, conflict?.observed) && conflict?.decision !== "FAILED";
}

/**
 * Whether all money of a charge that paid is returned or on its way back. Nothing left to refund does not mean that: nothing is left
 * either of a charge that is contradicted or disputed. So the refunds decide. Throws where Tua does not respond.
 */
export async function isReturned(tua: Tua, charge: Transaction): Promise<boolean> {
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
