import { ModuleProvider, Modules } from "@medusajs/framework/utils";
import { TuaPaymentProvider } from "./service.js";

export default ModuleProvider(Modules.PAYMENT, { services: [TuaPaymentProvider] });
export type { TuaOptions } from "./options.js";
