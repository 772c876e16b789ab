import type { MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys, Modules, PaymentActions, PaymentSessionStatus } from "@medusajs/framework/utils";
import { processPaymentWorkflowId } from "@medusajs/medusa/core-flows";
import { ask, hasCheckout } from "../question.js";

/** How long after its creation a session is asked about. Tua has an outcome long before, or people have decided. */
const OPEN_AGE_MS = 30 * 86_400_000;
/** How long after its payment a session without an order is processed again. */
const PAID_AGE_MS = 86_400_000;
/** Webhooks come first: a payment of the last seconds is left to them. */
const WEBHOOK_MS = 10_000;

interface SessionRow {
  id: string;
  provider_id: string;
  status: PaymentSessionStatus;
  amount: number;
  currency_code: string;
  data: Record<string, unknown>;
  payment?: { refunds?: unknown[] } | null;
  payment_collection?: { cart?: { completed_at?: unknown } | null } | null;
}

const FIELDS = ["id", "provider_id", "status", "amount", "currency_code", "data", "payment.id", "payment.refunds.id"];

/** Finds what a lost webhook would have reported: asks Tua about every payment session that is not over. */
export default async function askOpenPayments(container: MedusaContainer): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  for (const session of [...(await listOpen(container)), ...(await listWithoutOrder(container))]) {
    try {
      await process(container, session);
    } catch (error) {
      logger.error(`Tua: payment session ${session.id}: ${(error as Error).message}`);
    }
  }
}

export const config = { name: "tua-ask-open-payments", schedule: "* * * * *" };

async function process(container: MedusaContainer, session: SessionRow): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT);
  const result = await ask(payments, session);
  if (result.action === PaymentActions.SUCCESSFUL) {
    const workflows = container.resolve(Modules.WORKFLOW_ENGINE);
    await workflows.run(processPaymentWorkflowId, { input: result });
  } else if (result.action === PaymentActions.CANCELED && session.status !== PaymentSessionStatus.AUTHORIZED) {
    const { id, amount, currency_code, data } = session;
    await payments.updatePaymentSession({ id, amount, currency_code, data, status: PaymentSessionStatus.CANCELED });
  }
}

async function listOpen(container: MedusaContainer): Promise<SessionRow[]> {
  const status = [PaymentSessionStatus.PENDING, PaymentSessionStatus.REQUIRES_MORE, PaymentSessionStatus.PENDING_AUTHORIZATION];
  const sessions = await list(container, { status, created_at: within(OPEN_AGE_MS) });
  return sessions.filter(hasCheckout);
}

/** Sessions whose money has arrived, and whose cart is no order: Medusa was stopped in between, or could not reserve the goods. */
async function listWithoutOrder(container: MedusaContainer): Promise<SessionRow[]> {
  const sessions = await list(container, { status: [PaymentSessionStatus.AUTHORIZED], authorized_at: within(PAID_AGE_MS) });
  const paid = sessions.filter((session) => hasCheckout(session) && !session.payment?.refunds?.length);
  return paid.filter(({ payment_collection }) => payment_collection?.cart && !payment_collection.cart.completed_at);
}

async function list(container: MedusaContainer, filters: Record<string, unknown>): Promise<SessionRow[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const fields = [...FIELDS, "payment_collection.cart.id", "payment_collection.cart.completed_at"];
  const { data } = await query.graph({ entity: "payment_session", fields, filters });
  return data as unknown as SessionRow[];
}

function within(ageMs: number): { $gt: string; $lt: string } {
  return { $gt: new Date(Date.now() - ageMs).toISOString(), $lt: new Date(Date.now() - WEBHOOK_MS).toISOString() };
}
