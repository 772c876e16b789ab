import { findUnknownStatus } from "./statuses.js";
import type { Checkout, ListOptions, Refund, Transaction } from "./types.js";

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
/**
 * An event of a type that this version does not have, or whose `data` the service could not read: then it is null. Answer
 * 2xx and ignore it.
 */
export type UnknownEvent = EventMembers<"unknown", unknown> & { originalType: string };

/**
 * An event of a webhook or of the list of events. `switch (event.type)` selects the type of `data`, and so do
 * `isCheckoutEvent`, `isTransactionEvent` and `isRefundEvent`. `event.type.startsWith(…)` does not.
 */
export type Event = TransactionEvent | RefundEvent | CheckoutEvent | PingEvent | UnknownEvent;

/** Whether `event.data` is a checkout session. */
export function isCheckoutEvent(event: Event): event is CheckoutEvent {
  return event.type.startsWith("checkout.");
}

/** Whether `event.data` is a charge or a payout. */
export function isTransactionEvent(event: Event): event is TransactionEvent {
  return event.type.startsWith("charge.") || event.type.startsWith("payout.");
}

/** Whether `event.data` is a refund. */
export function isRefundEvent(event: Event): event is RefundEvent {
  return event.type.startsWith("refund.");
}

/** A type that this version has, or one that was added later. */
export type EventType = Exclude<Event["type"], "unknown"> | (string & {});

/** Only events with these values. Times are ISO 8601. */
export interface EventFilter {
  type?: EventType | readonly EventType[] | undefined;
  /** A charge, payout or refund. */
  transactionId?: string | undefined;
  /** Events at this time or later. */
  from?: string | undefined;
  /** Events before this time. */
  to?: string | undefined;
}

export interface FollowOptions extends Pick<EventFilter, "type" | "transactionId">, ListOptions {
  /** The id of the event that was processed last. Without it, all events of the record, which has 30 days. */
  after?: string | undefined;
  /** Seconds that the service waits for an event in one request, 0 to 30. Default: 30. */
  waitSeconds?: number | undefined;
  /** Ends the iteration, also while it waits. */
  signal?: AbortSignal | undefined;
}

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

/** The event of these members; undefined where they are not as documented. `data` may be null. */
export function makeEvent(id: string, { type, timestamp, data }: Record<string, unknown>): Event | undefined {
  if (typeof type !== "string" || typeof timestamp !== "string" || typeof data !== "object") return undefined;
  if (data === null || !EVENT_TYPES.has(type)) return { id, type: "unknown", originalType: type, timestamp, data };
  if (findUnknownStatus(data as Record<string, unknown>)) return undefined;
  return { id, type, timestamp, data } as Event;
}
