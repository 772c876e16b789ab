/* Every exported type, as an editor would have it used, and what it must refuse. */
import {
  configure,
  define,
  mount,
  TuaCheckout,
  type CheckoutDetail,
  type CheckoutEventMap,
  type ErrorDetail,
  type ExpiredDetail,
  type FailedDetail,
  type FailureCode,
  type Mounted,
  type PendingDetail,
  type ReturnDetail,
  type SuccessfulDetail,
} from "tua-checkout";
import { define as defineLater } from "tua-checkout/element";

configure({ baseUrl: new URL("https://pay.example/v1"), wasmUrl: "/tua_embed_bg.wasm" });
// @ts-expect-error: there is no such setting
configure({ baseurl: "https://pay.example/v1" });
define();
defineLater("shop-pay");

const mounted: Mounted = await mount("#pay", { token: "t", lang: "fr" });
const checkout: TuaCheckout = mounted.element;
mounted.unmount();
// @ts-expect-error: the token is the one thing that is required
await mount(document.body, {});

const found: TuaCheckout | null = document.querySelector("tua-checkout");
found?.setAttribute("token", "t");
checkout.token = "another";
// @ts-expect-error: a token is a text
checkout.token = 42;

const text = (value: string | null): string => value ?? "";
checkout.addEventListener("tua-ready", ({ detail }) => {
  const said: CheckoutDetail = detail;
  const amount: number | null = said.amount;
  const words = [said.checkoutId, said.currency, said.reference, said.transactionId].map(text);
  return [amount, words];
});
checkout.addEventListener("tua-pending", ({ detail }: CustomEvent<PendingDetail>) => detail.transactionId.length);
checkout.addEventListener("tua-successful", ({ detail }) => {
  const said: SuccessfulDetail = detail;
  const status: "SUCCESSFUL" = said.status;
  // @ts-expect-error: it may be unknown
  said.reference.length;
  return status;
});
checkout.addEventListener("tua-failed", ({ detail }) => {
  const said: FailedDetail = detail;
  const code: FailureCode = said.code;
  // @ts-expect-error: nobody fails for this reason
  return code === "bored";
});
checkout.addEventListener("tua-expired", ({ detail }) => {
  const said: ExpiredDetail = detail;
  return said.status === "PENDING";
});
checkout.addEventListener("tua-error", ({ detail }) => {
  const said: ErrorDetail = detail;
  return said.code === "not_started" ? said.message : text(said.reference ?? null);
});
checkout.addEventListener("tua-return", (event) => {
  const said: ReturnDetail = event.detail;
  event.preventDefault();
  return new URL(said.url).searchParams.get("checkoutId");
});
const hear = ({ detail }: CheckoutEventMap["tua-failed"]) => detail.code;
checkout.addEventListener("tua-failed", hear);
checkout.removeEventListener("tua-failed", hear);
// @ts-expect-error: an event of this name has another detail
checkout.addEventListener("tua-ready", ({ detail }: CustomEvent<FailedDetail>) => detail.code);

/* Above the element, where an event bubbles to: named by hand. */
document.addEventListener("tua-successful", (event) => {
  const { detail } = event as CheckoutEventMap["tua-successful"];
  return detail.reference;
});
