"use client";

import { useState } from "react";
import { configure, type TuaIntrinsicElements } from "tua-checkout";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends TuaIntrinsicElements {}
  }
}

// Beside the import: the tag in the server's HTML starts with it, before React has rendered anything.
configure({ baseUrl: `${process.env.NEXT_PUBLIC_TUA}/v1` });

export function Pay({ token }: { token: string }) {
  const [paid, setPaid] = useState("");
  return (
    <>
      <tua-checkout token={token} ontua-successful={({ detail }) => setPaid(`Paid: ${detail.reference}`)} />
      <p role="status">{paid}</p>
    </>
  );
}
