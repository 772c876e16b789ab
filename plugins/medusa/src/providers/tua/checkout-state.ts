import { PaymentActions, PaymentSessionStatus } from "@medusajs/framework/utils";
import type { Checkout } from "@tua-pay/node";

/** `REFUNDED`: it was paid, and all of the money is returned or on its way back. */
export type CheckoutState = Checkout["status"] | "REFUNDED";

/** The state of a checkout. One of test mode that the shop left behind when it went live is over, like a closed one. */
export function stateOf(checkout: Checkout | undefined): CheckoutState {
  if (!checkout) return "CLOSED";
  const isRefunded = checkout.status === "PAID" && checkout.transaction?.refundableAmount === "0.00";
  return isRefunded ? "REFUNDED" : checkout.status;
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
