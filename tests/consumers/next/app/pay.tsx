"use client";

import { useEffect, useRef, useState } from "react";
import { configure, type CheckoutEventMap, type TuaCheckout, type TuaIntrinsicElements } from "tua-checkout";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends TuaIntrinsicElements {}
  }
}

// Beside the import: the tag in the server's HTML starts with it, before React has rendered anything.
configure({ baseUrl: `${process.env.NEXT_PUBLIC_TUA}/v1` });

export function Pay({ token }: { token: string }) {
  const place = useRef<TuaCheckout>(null);
  const [paid, setPaid] = useState("");
  // By hand: React takes over a custom element of the server's HTML without the listeners in its properties.
  useEffect(() => {
    const checkout = place.current;
    const hear = ({ detail }: CheckoutEventMap["tua-successful"]) => setPaid(`Paid: ${detail.reference}`);
    checkout?.addEventListener("tua-successful", hear);
    return () => checkout?.removeEventListener("tua-successful", hear);
  }, []);
  return (
    <>
      <tua-checkout ref={place} token={token} />
      <p role="status">{paid}</p>
    </>
  );
}
