import type { Payment, PaymentOptions, PaymentProcess } from "@vendure/core";
import type { Mode } from "./connection.js";

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

/** Lets a refund begin as `Pending`. Without this, Vendure stores it, and reports an error all the same. */
export const pendingRefundProcess: NonNullable<PaymentOptions["refundProcess"]>[number] = {
  transitions: { Pending: { to: ["Pending"], mergeStrategy: "merge" } },
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
