import type { MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils";
import { BEGINNING_MS } from "../providers/tua/late-refunds.js";
import { isRefundOpen, isSessionData } from "../providers/tua/session-data.js";
import { askAboutRefunds, hasCheckout, type AskedPayment } from "../question.js";

/** How long after its creation a refund is asked about. Tua has an outcome long before, or people have decided. */
const OPEN_AGE_MS = 30 * 86_400_000;

interface PaymentRow extends AskedPayment {
  data: Record<string, unknown> | null;
}

interface RefundRow {
  id: string;
  payment?: PaymentRow | null;
}

/** Finds what a lost webhook would have reported: asks Tua about every refund whose outcome is not known. */
export default async function askOpenRefunds(container: MedusaContainer): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  for (const payment of await listPayments(container)) {
    try {
      await askAboutRefunds(container.resolve(Modules.PAYMENT), payment);
    } catch (error) {
      logger.error(`Tua: refunds of payment ${payment.id}: ${(error as Error).message}`);
    }
  }
}

export const config = { name: "tua-ask-open-refunds", schedule: "* * * * *" };

/** The payments that have a refund without a known outcome, each once. */
async function listPayments(container: MedusaContainer): Promise<PaymentRow[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const fields = ["id", "payment.id", "payment.provider_id", "payment.data"];
  const created_at = {
    $gt: new Date(Date.now() - OPEN_AGE_MS).toISOString(),
    $lt: new Date(Date.now() - BEGINNING_MS).toISOString(),
  };
  const { data } = await query.graph({ entity: "refund", fields, filters: { created_at } });
  const payments = new Map<string, PaymentRow>();
  for (const { id, payment } of data as unknown as RefundRow[]) {
    const isOpen = payment && hasCheckout(payment) && isSessionData(payment.data) && isRefundOpen(payment.data, id);
    if (isOpen) payments.set(payment.id, payment);
  }
  return [...payments.values()];
}
