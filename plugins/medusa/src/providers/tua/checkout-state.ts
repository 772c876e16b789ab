import { PaymentActions, PaymentSessionStatus } from "@medusajs/framework/utils";
import type { Checkout, Transaction, Tua } from "@tua-pay/node";
import { isReturned } from "./charges.js";

/** `REFUNDED`: it was paid, and all of the money is returned or on its way back. */
export type CheckoutState = Checkout["status"] | "REFUNDED";

/** A checkout as it is now. */
export interface CheckoutNow {
  state: CheckoutState;
  /** Undefined if it is one of test mode that the shop left behind when it went live. It is over, like a closed one. */
  checkout: Checkout | undefined;
  /** The charge that paid it; null where it is not paid. */
  charge: Transaction | null;
}

/** What a checkout that was just read is now. Throws where Tua does not respond to a question about its money. */
export async function readState(tua: Tua, checkout: Checkout | undefined): Promise<CheckoutNow> {
  if (checkout?.status !== "PAID") return { state: checkout?.status ?? "CLOSED", checkout, charge: null };
  const charge = checkout.paidTransaction;
  // The review of an earlier charge does not end one that is pending: a payer who begins again would pay twice.
  if (charge === null && checkout.transaction?.status === "PENDING") return { state: "PENDING", checkout, charge };
  // Where a review found that no money arrived, there is none to keep either.
  const isOver = charge === null || (await isReturned(tua, charge));
  return { state: isOver ? "REFUNDED" : "PAID", checkout, charge };
}

/** What Medusa does about a state. It acts on `SUCCESSFUL` alone. */
export function actionOf(state: CheckoutState): PaymentActions {
  switch (state) {
    case "PAID":
      return PaymentActions.SUCCESSFUL;
    case "PENDING":
      return PaymentActions.PENDING;
    case "OPEN":
      return PaymentActions.REQUIRES_MORE;
    case "EXPIRED":
    case "CLOSED":
    case "REFUNDED":
      return PaymentActions.CANCELED;
  }
}

export function sessionStatusOf(state: CheckoutState): PaymentSessionStatus {
  switch (state) {
    case "PAID":
      return PaymentSessionStatus.CAPTURED;
    case "PENDING":
      return PaymentSessionStatus.PENDING;
    case "OPEN":
      return PaymentSessionStatus.REQUIRES_MORE;
    case "EXPIRED":
    case "CLOSED":
    case "REFUNDED":
      return PaymentSessionStatus.CANCELED;
  }
}
