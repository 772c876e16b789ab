/** What every event's `detail` says. `null` where it is not known at that moment. */
export interface CheckoutDetail {
  /** The transaction, once there is one. */
  transactionId: string | null;
  /** The merchant's reference. */
  reference: string | null;
  /** The checkout session. */
  checkoutId: string | null;
  /** The amount, in `currency`. For showing; the service's webhook is what to book by. */
  amount: number | null;
  /** ISO 4217; always `GHS` today. */
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
  /** Why. A newer service may know more reasons; those arrive as `unspecified`. */
  code: FailureCode;
}

export interface ExpiredDetail extends CheckoutDetail {
  /** `PENDING`: money may still be moving; do not ask the payer to pay again. */
  status: "OPEN" | "PENDING";
}

export interface ErrorDetail extends Partial<CheckoutDetail> {
  /** `not_started`: no WebAssembly here, and the payer is offered the hosted page. */
  code: "invalid_token" | "unreachable" | "not_started";
  /** For a developer, with `not_started`. */
  message?: string;
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
  | "payer_busy"
  | "merchant_float_low"
  | "network_unavailable"
  | "operator_refused"
  | "unspecified";

/** The events: bubbling, composed, one per change. */
export interface CheckoutEventMap {
  "tua-ready": CustomEvent<CheckoutDetail>;
  "tua-pending": CustomEvent<PendingDetail>;
  "tua-successful": CustomEvent<SuccessfulDetail>;
  "tua-failed": CustomEvent<FailedDetail>;
  "tua-expired": CustomEvent<ExpiredDetail>;
  "tua-error": CustomEvent<ErrorDetail>;
}

/** `<tua-checkout token="tua_checkout_…" lang="fr">`. */
export class TuaCheckout extends HTMLElement {
  /** The checkout token. May be set late; another one begins anew. */
  token: string;
  /** `en`, `fr` or `ar`; `tw`, `ee` and `ha` as previews. Without it the page's or the browser's language is taken. */
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
  /** Takes it off the page, with every timer and request. */
  unmount(): void;
}

/** Puts a checkout into the page; resolves once it is there. */
export function mount(target: string | Element, options: { token: string; lang?: string }): Promise<Mounted>;

/** Only for a copy that was bundled: call it once per page, before the first checkout. */
export function configure(options: {
  /** The versioned root of the API, such as `https://pay.example/v1`. */
  baseUrl?: string | URL;
  /** Where `tua_embed_bg.wasm` is, if a bundler moved it. */
  wasmUrl?: string | URL;
}): void;

/**
 * Registers the element, under another name if need be. Importing `tua-checkout` has done it already;
 * importing `tua-checkout/element` has not.
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

/** What the tag takes, in any framework. */
export interface TuaAttributes {
  token?: string;
  lang?: string;
}
