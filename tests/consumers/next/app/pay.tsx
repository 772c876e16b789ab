"use client";

import { useState } from "react";
import { configure, type TuaIntrinsicElements } from "tua-checkout";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends TuaIntrinsicElements {}
  }
}

export function Pay({ token, baseUrl }: { token: string; baseUrl: string }) {
  const [paid, setPaid] = useState("");
  configure({ baseUrl });
  return (
    <>
      <tua-checkout token={token} ontua-successful={({ detail }) => setPaid(`Paid: ${detail.reference}`)} />
      <p role="status">{paid}</p>
    </>
  );
}
