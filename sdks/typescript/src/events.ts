import type { Checkout, Refund, Transaction } from "./types.js";

type TransactionEventType =
  | `charge.${"pending" | "action_required" | "successful" | "failed" | "delayed" | "conflict"}`
  | `payout.${"pending" | "successful" | "failed" | "delayed" | "conflict" | "reversed"}`;
type RefundEventType = `refund.${"pending" | "successful" | "failed" | "delayed" | "conflict"}`;
type CheckoutEventType = `checkout.${"opened" | "paid" | "attempt_failed" | "expired" | "closed"}`;

interface EventMembers<Type extends string, Data> {
  /** The same for every delivery of this event: ignore one that was processed already. */
  id: string;
  type: Type;
  /** When it happened (ISO 8601). */
  timestamp: string;
  data: Data;
}

export type TransactionEvent = EventMembers<TransactionEventType, Transaction>;
export type RefundEvent = EventMembers<RefundEventType, Refund>;
export type CheckoutEvent = EventMembers<CheckoutEventType, Checkout>;
export type PingEvent = EventMembers<"ping", { endpointId: string }>;
/** An event of a type that this version does not have. Answer 2xx and ignore it. */
export type UnknownEvent = EventMembers<"unknown", unknown> & { originalType: string };

/** An event of a webhook. `switch (event.type)` selects the type of `data`. */
export type Event = TransactionEvent | RefundEvent | CheckoutEvent | PingEvent | UnknownEvent;

/** The types that this version has: the events of `docs/openapi.json`. */
export const EVENT_TYPES: ReadonlySet<string> = new Set<Exclude<Event["type"], "unknown">>([
  "charge.pending",
  "charge.action_required",
  "charge.successful",
  "charge.failed",
  "charge.delayed",
  "charge.conflict",
  "payout.pending",
  "payout.successful",
  "payout.failed",
  "payout.delayed",
  "payout.conflict",
  "payout.reversed",
  "refund.pending",
  "refund.successful",
  "refund.failed",
  "refund.delayed",
  "refund.conflict",
  "checkout.opened",
  "checkout.paid",
  "checkout.attempt_failed",
  "checkout.expired",
  "checkout.closed",
  "ping",
]);
