import init from "./tua-example-yew.js";

await init(new URL("tua-example-yew_bg.wasm", import.meta.url));
