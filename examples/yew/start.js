import init from "./tua-example-yew.js";

await init({ module_or_path: new URL("tua-example-yew_bg.wasm", import.meta.url) });
