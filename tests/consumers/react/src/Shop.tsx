import { useEffect, useRef, useState } from "react";
import { mount, type CheckoutEventMap, type TuaIntrinsicElements } from "tua-checkout";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends TuaIntrinsicElements {}
  }
}

export interface Order {
  checkoutToken: string;
  reference: string;
  url: string;
}

type Paid = CheckoutEventMap["tua-successful"];

export function Shop({ one, other }: { one: Order; other: Order }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button onClick={() => setOpen(!isOpen)}>{isOpen ? "Close" : "Open"}</button>
      {isOpen && <AsTag order={one} />}
      {isOpen && <ByCall order={other} />}
    </>
  );
}

/** The tag; React 19 listens to `tua-successful` by the property `ontua-successful`. */
function AsTag({ order }: { order: Order }) {
  const [paid, setPaid] = useState("");
  return (
    <section id="as-tag" data-reference={order.reference}>
      <tua-checkout token={order.checkoutToken} ontua-successful={({ detail }) => setPaid(`Paid: ${detail.reference}`)} />
      <p role="status">{paid}</p>
    </section>
  );
}

/** `mount()` in an effect, which StrictMode runs twice. */
function ByCall({ order }: { order: Order }) {
  const place = useRef<HTMLDivElement>(null);
  const [paid, setPaid] = useState("");
  useEffect(() => {
    const mounted = mount(place.current!, { token: order.checkoutToken });
    const hear = ({ detail }: Paid) => setPaid(`Paid: ${detail.reference}`);
    mounted.then(({ element }) => element.addEventListener("tua-successful", hear));
    return () => void mounted.then(({ unmount }) => unmount());
  }, [order]);
  return (
    <section id="by-call" data-reference={order.reference}>
      <div ref={place} />
      <p role="status">{paid}</p>
    </section>
  );
}
