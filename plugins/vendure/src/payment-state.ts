import type { Payment, PaymentOptions, PaymentProcess } from "@vendure/core";
import type { Mode } from "./connection.js";
import type { RefundMetadata } from "./refunds.js";

/** The state of a payment that the payer has not made, or whose outcome is not known yet. */
export const PENDING = "Pending";

declare module "@vendure/core/dist/service/helpers/payment-state-machine/payment-state" {
  interface PaymentStates {
    Pending: never;
  }
}

/** Adds the state `Pending` between `Created` and the end of a payment. */
export const pendingPaymentProcess: PaymentProcess<"Pending"> = {
  transitions: {
    Created: { to: [PENDING], mergeStrategy: "merge" },
    Pending: { to: ["Settled", "Cancelled"] },
  },
};

const NOT_CONFIRMED_REFUND =
  "Tua has not confirmed this refund, so it is not settled by hand. Its outcome is recorded as soon as it is known.";

/** The states of refunds. */
export const tuaRefundProcess: NonNullable<PaymentOptions["refundProcess"]>[number] = {
  /** Lets a refund begin as `Pending`. Without this, Vendure stores it, and reports an error all the same. */
  transitions: { Pending: { to: ["Pending"], mergeStrategy: "merge" } },
  /**
   * An administrator can settle a pending refund by hand, which replaces the id of the refund at Tua: its failure would be
   * recorded nowhere. So a refund of this plug-in is settled only after Tua has reported it as made, or after people were told
   * that its response was lost: then it has no id that could be replaced.
   */
  onTransitionStart(_fromState, toState, { refund }) {
    const { tuaCharge, status, givenUpAt } = refund.metadata as Partial<RefundMetadata>;
    if (tuaCharge === undefined || toState !== "Settled") return;
    if (status !== "SUCCESSFUL" && givenUpAt === undefined) return NOT_CONFIRMED_REFUND;
  },
};

/** What a payment of this plug-in stores. Storefronts read `public` alone. */
export interface TuaMetadata {
  tuaCheckout: string;
  /** What the payer is asked for, in pesewas. The payment's own amount is 0 until it is paid. */
  requested: number;
  /** The charge that paid; absent before. */
  tuaCharge?: string;
  public: {
    checkoutToken: string | null;
    url: string | null;
    expiresAt: string;
    amount: string;
    mode: Mode;
  };
}

/** The stored data of a payment of this plug-in; undefined for a payment of another method. */
export function readMetadata(payment: Payment): TuaMetadata | undefined {
  const metadata = payment.metadata as Partial<TuaMetadata> | null;
  return typeof metadata?.tuaCheckout === "string" ? (metadata as TuaMetadata) : undefined;
}
