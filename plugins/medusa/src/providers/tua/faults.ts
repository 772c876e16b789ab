import { MedusaError } from "@medusajs/framework/utils";
import { TuaApiError, TuaRequestError } from "@tua-pay/node";
import type { Mode } from "./options.js";

export const NOT_CONFIRMED = "The mobile money payment is not confirmed yet. Please do not pay again.";
export const UNKNOWN = "It is not known yet whether the payment has arrived. If you have paid, please do not pay again.";
export const ALREADY_PAID = "The mobile money payment of this cart has arrived. Please do not pay again.";

/**
 * Whether a live key does not find a test checkout: the shop went live after the payment had begun. Such a checkout moves no
 * money, so it is over. The opposite is not decided here: a live checkout that a test key does not find may still be paid.
 */
export function isTestLeftBehind(error: unknown, stored: unknown, mode: Mode): boolean {
  return stored === "test" && mode === "live" && error instanceof TuaApiError && error.code === "not_found";
}

/** The error that Medusa shows for a refusal of the service, or for no response. It has no secret. */
export function toMedusaError(error: unknown, unanswered: string): unknown {
  if (error instanceof TuaApiError && !error.outcomeUnknown && error.status < 500 && error.status !== 429) {
    return new MedusaError(MedusaError.Types.NOT_ALLOWED, `Tua refused: ${error.message}`);
  }
  if (error instanceof TuaRequestError) {
    return new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `${unanswered} (${error.message})`);
  }
  return error;
}
