export { fromPesewas, toPesewas, type Amount } from "./amount.js";
export { CartCheckout, type CartOptions, type CartRequest, type CartResponse } from "./cart/checkout.js";
export type { Donation, SoldItem } from "./cart/order.js";
export { Tua } from "./client.js";
export type { TuaOptions } from "./config.js";
export {
  TuaApiError,
  TuaConnectionError,
  TuaError,
  TuaRequestError,
  TuaUnexpectedResponseError,
  TuaUsageError,
  TuaWebhookError,
  type ErrorCode,
  type Fault,
  type WebhookErrorCode,
} from "./errors.js";
export { isCheckoutEvent, isRefundEvent, isTransactionEvent } from "./events.js";
export type { CheckoutEvent, Event, EventFilter, EventType, FollowOptions, PingEvent, RefundEvent } from "./events.js";
export type { TransactionEvent, UnknownEvent } from "./events.js";
export type { EventHandler } from "./middleware/respond.js";
export type { Page, Pages } from "./pages.js";
export type * from "./types.js";
export { VERSION } from "./version.js";
export { Webhook, type WebhookHeaders, type WebhookOptions } from "./webhook.js";
