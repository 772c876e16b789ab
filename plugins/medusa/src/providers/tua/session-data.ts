import { MathBN, MedusaError } from "@medusajs/framework/utils";
import type { BigNumberInput, PaymentProviderContext } from "@medusajs/framework/types";
import type { Mode } from "./options.js";

/** What a payment session stores, and its payment later. The storefront reads it. */
export interface SessionData extends Record<string, unknown> {
  session_id: string;
  /** The checkout at Tua. */
  checkout_id: string;
  /** The token for `<tua-checkout>`; null once the checkout is over. */
  checkout_token: string | null;
  /** The hosted page; null once the checkout is over. */
  url: string | null;
  /** When the checkout expires (ISO 8601). */
  expires_at: string;
  /** The sum in cedis, such as `18.00`. */
  amount: string;
  mode: Mode;
  email: string;
  return_url: string;
  /** The number of this checkout among those of the payment collection, from 0. */
  attempt: number;
  /** The charge at Tua that paid; null before. */
  transaction_id: string | null;
  refunds: RefundRecord[];
}

/** What is needed to ask about the checkout of a session, or to close it. */
export type StoredCheckout = Pick<SessionData, "checkout_id" | "mode">;

/** Whether a session has a checkout. One that is beginning has none yet. */
export function isSessionData(data: Record<string, unknown> | null | undefined): data is SessionData {
  return typeof data?.["checkout_id"] === "string";
}

/** A refund at Tua, and Medusa's row for it. */
export interface RefundRecord {
  /** Null where Tua has no refund for the row. */
  refund_id: string | null;
  medusa_refund_id: string;
  amount: string;
  status: string;
}

/** Whether the outcome of a refund is not known: its record is pending, or Medusa has none. */
export function isRefundOpen({ refunds }: SessionData, medusaRefundId: string): boolean {
  const record = refunds.find(({ medusa_refund_id }) => medusa_refund_id === medusaRefundId);
  return !record || record.status === "PENDING";
}

/** The stored data of a session or payment of this provider. */
export function readData(data: Record<string, unknown> | undefined): SessionData {
  if (!isSessionData(data)) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, "The payment session has no checkout of Tua.");
  }
  return data;
}

/** The identifier that Medusa gives to a new session. */
export function readSessionId(data: Record<string, unknown> | undefined): string {
  const id = data?.["session_id"];
  if (typeof id !== "string") throw new MedusaError(MedusaError.Types.INVALID_DATA, "Medusa gave no session_id.");
  return id;
}

/** The payer's e-mail address: that of the customer, else the one that the storefront sent. */
export function readEmail(data: Record<string, unknown> | undefined, context: PaymentProviderContext | undefined): string {
  const email = context?.customer?.email ?? data?.["email"];
  if (typeof email !== "string" || email === "") {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "A mobile money payment needs the payer's e-mail address: send the cart's as data.email.",
    );
  }
  return email;
}

/** The page to return to: the one of the options, or another of the same origin. */
export function readReturnUrl(data: Record<string, unknown> | undefined, fallback: URL): string {
  const wanted = data?.["return_url"];
  if (wanted === undefined || wanted === null) return fallback.href;
  if (typeof wanted !== "string" || !URL.canParse(wanted) || new URL(wanted).origin !== fallback.origin) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, `data.return_url must be a page of ${fallback.origin}.`);
  }
  return wanted;
}

/** Refuses every currency but cedis. */
export function checkCurrency(currencyCode: string): void {
  if (currencyCode.toLowerCase() === "ghs") return;
  throw new MedusaError(
    MedusaError.Types.INVALID_DATA,
    `Mobile money is paid in Ghana cedis (GHS), and this cart is in ${currencyCode.toUpperCase()}. Choose another payment method.`,
  );
}

/** An amount of Medusa as a decimal string. It is rounded to whole pesewas as Medusa rounds its own payments. */
export function toCedis(amount: BigNumberInput): string {
  return MathBN.convert(amount, 2).toFixed(2);
}
