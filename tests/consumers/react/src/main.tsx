import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { configure } from "tua-checkout";
import { Shop, type Order } from "./Shop";

/* Two orders on one page, one for each way of embedding. */
const open = async (): Promise<Order> => (await fetch("/order", { method: "POST" })).json();
const [one, other] = await Promise.all([open(), open()]);

configure({ baseUrl: new URL("/v1", one.url) });
createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <Shop one={one} other={other} />
  </StrictMode>,
);
