/* The tag in JSX, and in what Vue makes of a template. */
import type { TuaAttributes, TuaGlobalComponents, TuaIntrinsicElements } from "tua-checkout";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends TuaIntrinsicElements {}
  }
}

export const whole = (
  <tua-checkout
    token="t"
    lang="en"
    id="pay"
    className="wide"
    style={{ colorScheme: "dark" }}
    key="pay"
    data-order="1"
    ontua-ready={({ detail }) => detail.checkoutId}
    ontua-pending={({ detail }) => detail.transactionId.length}
    ontua-successful={({ detail }) => detail.reference}
    ontua-failed={({ detail }) => detail.code}
    ontua-expired={({ detail }) => detail.status}
    ontua-error={({ detail }) => detail.message}
  >
    <p slot="failed">Call us.</p>
  </tua-checkout>
);
// @ts-expect-error: a token is a text
export const wrongToken = <tua-checkout token={42} />;
// @ts-expect-error: a failure alone has such a code
export const wrongEvent = <tua-checkout ontua-successful={({ detail }) => detail.code === "wrong_pin" && detail.why} />;
// @ts-expect-error: there is no such attribute
export const wrongName = <tua-checkout amount="18" />;

type Vue = InstanceType<TuaGlobalComponents["tua-checkout"]>["$props"];
export const props: Vue = { token: "t", lang: "en", onTuaFailed: ({ detail }) => detail.code };
// @ts-expect-error: a template would say @tua-failed
export const wrongProps: Vue = { onFailed: () => {} };
export const attributes: TuaAttributes = { token: "t" };
