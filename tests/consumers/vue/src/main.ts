import { configure, type TuaGlobalComponents } from "tua-checkout";
import { createApp } from "vue";
import Shop from "./Shop.vue";

declare module "vue" {
  interface GlobalComponents extends TuaGlobalComponents {}
}

const order = await (await fetch("/order", { method: "POST" })).json();
// The build moves it there, as a shop might to its own CDN.
configure({ baseUrl: new URL("/v1", order.url), wasmUrl: "/pay.wasm" });
createApp(Shop, { token: order.checkoutToken }).mount("#root");
