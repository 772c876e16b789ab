import type { components } from "./generated/openapi.js";
import type { TransactionFilter as FilterName } from "./generated/members.js";

type Schemas = components["schemas"];

/**
 * `PENDING` is neither paid nor failed. Decide by `switch (transaction.status)` with all three cases; a string is always
 * true, so `if (transaction.status)` has no meaning.
 */
export type Status = Schemas["Status"];
export type Failure = Schemas["Failure"];
export type Network = Schemas["Network"];
export type NextAction = Schemas["NextAction"];
export type Metadata = Schemas["Metadata"];

/** The three cases of anything that moves money. `failure` is there in one of them only. */
type ByStatus<T> =
  | (Omit<T, "status" | "failure"> & { status: "PENDING"; failure: null })
  | (Omit<T, "status" | "failure"> & { status: "SUCCESSFUL"; failure: null })
  | (Omit<T, "status" | "failure"> & { status: "FAILED"; failure: Failure });

/** A charge or payout. */
export type Transaction = ByStatus<Schemas["Transaction"]>;
/** A charge or payout, with a sentence about the request. */
export type TransactionWithMessage = ByStatus<Schemas["TransactionWithMessage"]>;
/** The return of a charge's money. */
export type Refund = ByStatus<Schemas["Refund"]>;

/** A checkout session. Only `PAID` means that the money moved; `OPEN` and `PENDING` may still become `PAID`. */
export type Checkout = Omit<Schemas["Checkout"], "transaction" | "paidTransaction"> & {
  /** The pending charge; where there is none, the latest, which may be another one than the one that paid. */
  transaction: Transaction | null;
  /** The charge that brought the money: only this one can be refunded. Null while nothing is paid. */
  paidTransaction: Transaction | null;
};
/** A session that was just created, with the token for the payer's browser. */
export type OpenedCheckout = Schemas["OpenedCheckout"];
export type Link = Schemas["Link"];
export type PayoutBatch = Omit<Schemas["PayoutBatch"], "payouts"> & { payouts: TransactionWithMessage[] };
export type NetworkServices = Schemas["NetworkServices"];
export type Quote = Schemas["Quote"];
/** An address to which events are sent. Its secret is in the responses to `create` and `rotate` only. */
export type WebhookEndpoint = Schemas["WebhookEndpoint"];
export type WebhookEndpointWithSecret = Schemas["WebhookEndpointWithSecret"];
export type EnabledWebhookEndpoint = Schemas["EnabledWebhookEndpoint"];
/** What an advance of the sandbox clock has made due. */
export type AdvancedSandboxClock = Schemas["AdvancedSandboxClock"];

/** A request, whose optional members may be undefined: that is the same as absent. */
type Request<T> = { [Member in keyof T]: T[Member] | (undefined extends T[Member] ? undefined : never) };

export type ChargeRequest = Request<Schemas["ChargeRequest"]>;
export type PayoutRequest = Request<Schemas["PayoutRequest"]>;
export type PayoutBatchRequest = { payouts: PayoutRequest[]; reference?: string | null | undefined };
export type RefundRequest = Request<Schemas["RefundRequest"]>;
export type CheckoutRequest = Request<Schemas["CheckoutRequest"]>;
export type LinkRequest = Request<Schemas["LinkRequest"]>;
export type QuoteRequest = Request<Schemas["QuoteRequest"]>;
export type CodeRequest = Request<Schemas["CodeRequest"]>;
export type WebhookEndpointRequest = Request<Schemas["WebhookEndpointRequest"]>;
export type RotateWebhookSecretRequest = Request<Schemas["RotateWebhookSecretRequest"]>;
export type EnableWebhookEndpointRequest = Request<Schemas["EnableWebhookEndpointRequest"]>;

/** Only transactions with these values. Times are ISO 8601. */
export type TransactionFilter = { [Name in Exclude<FilterName, "limit" | "cursor">]?: string | undefined };

/** Only checkout sessions with these values. Times are ISO 8601. */
export interface CheckoutFilter {
  status?: Checkout["status"] | undefined;
  reference?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
}

export interface RequestOptions {
  /** The key that makes a request safe to repeat: one for each payment. Made by the package where it is absent. */
  idempotencyKey?: string | undefined;
  /** Milliseconds for this call with all its attempts. */
  totalTimeout?: number | undefined;
  /** Ends the call early. A request that was sent may be executed all the same. */
  signal?: AbortSignal | undefined;
}

export interface WaitOptions {
  /** Milliseconds to wait for an outcome. Default: 120,000. */
  timeout?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface ListOptions {
  /** Items in one page, 1 to 100. Default: 25. */
  pageSize?: number | undefined;
}
