import type { IPaymentModuleService, WebhookActionResult } from "@medusajs/framework/types";

/** A payload with this member asks about the checkout of a session. A webhook cannot have it: JSON has no symbols. */
export const SESSION_DATA = Symbol("session with a checkout of Tua");

export interface AskedSession {
  provider_id: string;
  data?: Record<string, unknown> | null;
}

/** Whether a payment session pays through this provider, and has a checkout. */
export function hasCheckout({ provider_id, data }: AskedSession): boolean {
  return provider_id.startsWith("pp_tua") && typeof data?.["checkout_id"] === "string";
}

/**
 * Asks Tua about the checkout of a session. It uses the method for webhooks, because this is the only one of Medusa's payment
 * module that returns what a provider reports without changing the session.
 */
export function ask(payments: IPaymentModuleService, { provider_id, data }: AskedSession): Promise<WebhookActionResult> {
  const question = { [SESSION_DATA]: data } as Record<string, unknown>;
  return payments.getWebhookActionAndData({ provider: provider_id, payload: { data: question, rawData: "", headers: {} } });
}
