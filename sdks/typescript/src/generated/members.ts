// Generated from docs/openapi.json by scripts/types.mjs. Do not edit.

/** The members of responses and requests that are money. */
export const MONEY_MEMBERS: ReadonlySet<string> = new Set([
  "amount",
  "fee",
  "max",
  "maxAmount",
  "merchantReceives",
  "min",
  "minAmount",
  "operatorFee",
  "paidAmount",
  "payerPays",
  "refundableAmount",
  "refundedAmount",
  "total"
]);

/** The query parameters of `GET /transactions`. */
export type TransactionFilter = "batchId" | "checkoutId" | "createdAfter" | "createdBefore" | "cursor" | "limit" | "network" | "operatorTransactionId" | "phoneNumber" | "reference" | "status" | "type";
