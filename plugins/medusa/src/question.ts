import type { IPaymentModuleService, WebhookActionResult } from "@medusajs/framework/types";

/** A payload with this member asks about a checkout. A webhook cannot have it: JSON has no symbols. */
export const CHECKOUT_ID = Symbol("checkout of Tua");

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
export async function ask(payments: IPaymentModuleService, session: AskedSession): Promise<WebhookActionResult> {
  const data = { [CHECKOUT_ID]: session.data?.["checkout_id"] } as Record<string, unknown>;
  return payments.getWebhookActionAndData({ provider: session.provider_id, payload: { data, rawData: "", headers: {} } });
}
