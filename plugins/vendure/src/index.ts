export { tuaPaymentHandler } from "./handler.js";
export { TuaPlugin } from "./plugin.js";
