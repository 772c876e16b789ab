import type { IPaymentModuleService, WebhookActionResult } from "@medusajs/framework/types";

/** A payload with this member asks about the checkout of a session. A webhook cannot have it: JSON has no symbols. */
export const SESSION_DATA = Symbol("session with a checkout of Tua");
/** A payload with this member asks about the refunds of a payment. */
export const PAYMENT_ID = Symbol("payment with refunds at Tua");

export interface AskedSession {
  provider_id: string;
  data?: Record<string, unknown> | null;
}

export interface AskedPayment {
  id: string;
  provider_id: string;
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
  return askProvider(payments, provider_id, { [SESSION_DATA]: data });
}

/** Asks Tua about the refunds of a payment. The provider stores the outcomes, and tells people about those that failed. */
export async function askAboutRefunds(payments: IPaymentModuleService, { id, provider_id }: AskedPayment): Promise<void> {
  await askProvider(payments, provider_id, { [PAYMENT_ID]: id });
}

function askProvider(
  payments: IPaymentModuleService,
  provider: string,
  question: Record<symbol, unknown>,
): Promise<WebhookActionResult> {
  const data = question as Record<string, unknown>;
  return payments.getWebhookActionAndData({ provider, payload: { data, rawData: "", headers: {} } });
}
