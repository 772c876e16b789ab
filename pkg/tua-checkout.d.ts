/** The members of every event's `detail`. `null` if the value is not known yet. */
export interface CheckoutDetail {
  /** The transaction's identifier, as soon as a charge has started. */
  transactionId: string | null;
  /** The merchant's reference. */
  reference: string | null;
  /** The checkout session's identifier. */
  checkoutId: string | null;
  /** The amount in cedis, for display. For your accounts, use the service's webhooks. */
  amount: number | null;
  /** ISO 4217 code; always `GHS` today. */
  currency: string | null;
  status: string | null;
  code: string | null;
}

export interface PendingDetail extends CheckoutDetail {
  transactionId: string;
  status: "PENDING";
}

export interface SuccessfulDetail extends CheckoutDetail {
  status: "SUCCESSFUL";
}

export interface FailedDetail extends CheckoutDetail {
  transactionId: string;
  status: "FAILED";
  /** The reason. A reason that this version does not know becomes `unspecified`. */
  code: FailureCode;
}

export interface ExpiredDetail extends CheckoutDetail {
  /**
   * `PENDING`: the payment may still succeed. Do not ask the payer to pay again. `OPEN`: nothing was paid. `CLOSED`: the
   * merchant closed the checkout, and nothing was paid.
   */
  status: "OPEN" | "PENDING" | "CLOSED";
}

export interface ErrorDetail extends Partial<CheckoutDetail> {
  /** `not_started`: WebAssembly cannot run here. The tag offers the hosted page to the payer. */
  code: "invalid_token" | "unreachable" | "not_started";
  /** A text for developers, with `not_started`. */
  message?: string;
}

export interface ReturnDetail {
  /** The address of the link: `returnUrl` with `checkoutId` and `reference` added to its query. */
  url: string;
}

export type FailureCode =
  | "insufficient_funds"
  | "customer_rejected"
  | "approval_timeout"
  | "wrong_pin"
  | "otp_attempts_exhausted"
  | "payer_not_found"
  | "recipient_not_found"
  | "payer_limit"
  | "recipient_limit"
  | "not_sent"
  | "approval_refused"
  | "cancelled"
  | "payer_busy"
  | "merchant_float_low"
  | "network_unavailable"
  | "operator_refused"
  | "unspecified";

/**
 * The events. They bubble and are composed. There is one event for each change of the payment state, and `tua-return` for
 * each press of the link back to the shop.
 */
export interface CheckoutEventMap {
  "tua-ready": CustomEvent<CheckoutDetail>;
  "tua-pending": CustomEvent<PendingDetail>;
  "tua-successful": CustomEvent<SuccessfulDetail>;
  "tua-failed": CustomEvent<FailedDetail>;
  "tua-expired": CustomEvent<ExpiredDetail>;
  "tua-error": CustomEvent<ErrorDetail>;
  /** `preventDefault()` keeps the browser on the page. */
  "tua-return": CustomEvent<ReturnDetail>;
}

/** `<tua-checkout token="tua_checkout_…" lang="fr">`. */
export class TuaCheckout extends HTMLElement {
  /** The checkout token. It may be set later. Another token starts another session. */
  token: string;
  /** `en`, `fr` or `ar`; `tw`, `ee` and `ha` are previews. If absent: the page's language, then the browser's. */
  lang: string;
  addEventListener<K extends keyof CheckoutEventMap>(
    type: K,
    listener: (this: TuaCheckout, event: CheckoutEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof CheckoutEventMap>(
    type: K,
    listener: (this: TuaCheckout, event: CheckoutEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

export interface Mounted {
  /** The element that was added. */
  element: TuaCheckout;
  /** Removes the element, and stops every timer and request. */
  unmount(): void;
}

/** Adds a checkout to the page. Resolves when its WebAssembly is loaded. */
export function mount(target: string | Element, options: { token: string; lang?: string }): Promise<Mounted>;

/** Only for a bundled copy: call it once per page, before the first checkout. */
export function configure(options: {
  /** The API root with its version, such as `https://pay.example/v1`. */
  baseUrl?: string | URL;
  /** The address of `tua_embed_bg.wasm`, if it is not next to the script. */
  wasmUrl?: string | URL;
}): void;

/**
 * Registers the element, under another name if you pass one. Importing `tua-checkout` has registered it already.
 * Importing `tua-checkout/element` has not.
 */
export function define(name?: string): void;

declare global {
  interface HTMLElementTagNameMap {
    "tua-checkout": TuaCheckout;
  }
}

/** For JSX: `declare module "react" { namespace JSX { interface IntrinsicElements extends TuaIntrinsicElements {} } }`. */
export interface TuaIntrinsicElements {
  "tua-checkout": TuaAttributes & {
    [E in keyof CheckoutEventMap as `on${E}`]?: (event: CheckoutEventMap[E]) => void;
  } & {
    id?: string;
    class?: string;
    className?: string;
    style?: string | object;
    slot?: string;
    hidden?: boolean;
    ref?: unknown;
    key?: string | number;
    children?: unknown;
  };
}

/** For Vue: `declare module "vue" { interface GlobalComponents extends TuaGlobalComponents {} }`. */
export interface TuaGlobalComponents {
  "tua-checkout": new () => {
    $props: TuaAttributes & {
      [E in keyof CheckoutEventMap as E extends `tua-${infer Name}` ? `onTua${Capitalize<Name>}` : never]?: (
        event: CheckoutEventMap[E],
      ) => void;
    };
  };
}

/** The attributes of the tag, in any framework. */
export interface TuaAttributes {
  token?: string;
  lang?: string;
}
