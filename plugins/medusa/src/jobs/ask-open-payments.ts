import type { MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys, Modules, PaymentActions, PaymentSessionStatus } from "@medusajs/framework/utils";
import { processPaymentWorkflowId } from "@medusajs/medusa/core-flows";
import { reportToPeople } from "../providers/tua/attention.js";
import { ask, hasCheckout } from "../question.js";

/** How long after its creation a session is asked about. Tua has an outcome long before, or people have decided. */
const OPEN_AGE_MS = 30 * 86_400_000;
/** How long after its payment a session without an order is processed again: each minute, and once an hour later. */
const MINUTELY_AGE_MS = 86_400_000;
const PAID_AGE_MS = 30 * 86_400_000;
/** How long after its payment a session without an order is shown to people. */
const NO_ORDER_MS = 10 * 60_000;
/** The member of a session's metadata that says that people were told. */
const REPORTED = "tua_reported_at";
/** Webhooks come first: a payment of the last seconds is left to them. */
const WEBHOOK_MS = 10_000;

interface SessionRow {
  id: string;
  provider_id: string;
  status: PaymentSessionStatus;
  amount: number;
  currency_code: string;
  data: Record<string, unknown>;
  metadata?: Record<string, unknown> | null;
  authorized_at?: Date | string | null;
  payment?: { refunds?: unknown[] } | null;
  payment_collection?: { cart?: { id: string; completed_at?: unknown } | null } | null;
}

const FIELDS = [
  "id",
  "provider_id",
  "status",
  "amount",
  "currency_code",
  "data",
  "metadata",
  "authorized_at",
  "payment.id",
  "payment.refunds.id",
  "payment_collection.cart.id",
  "payment_collection.cart.completed_at",
];

/** Finds what a lost webhook would have reported: asks Tua about every payment session that is not over. */
export default async function askOpenPayments(container: MedusaContainer): Promise<void> {
  for (const session of await listOpen(container)) await logFault(container, session, process);
  for (const session of await listWithoutOrder(container)) await logFault(container, session, processWithoutOrder);
}

export const config = { name: "tua-ask-open-payments", schedule: "* * * * *" };

/** One session that cannot be asked about does not stop the others. */
async function logFault(
  container: MedusaContainer,
  session: SessionRow,
  work: (container: MedusaContainer, session: SessionRow) => Promise<void>,
): Promise<void> {
  try {
    await work(container, session);
  } catch (error) {
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
    logger.error(`Tua: payment session ${session.id}: ${(error as Error).message}`);
  }
}

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

async function processWithoutOrder(container: MedusaContainer, session: SessionRow): Promise<void> {
  try {
    await process(container, session);
  } finally {
    await reportWithoutOrder(container, session.id);
  }
}

/** Tells people, once, that a cart is paid and no order, where Medusa has neither made the order nor returned the money. */
async function reportWithoutOrder(container: MedusaContainer, sessionId: string): Promise<void> {
  const [session] = (await list(container, { id: sessionId })).filter(isWithoutOrder);
  const isRecent = (at: Date | string) => Date.now() - new Date(at).getTime() < NO_ORDER_MS;
  if (!session?.authorized_at || isRecent(session.authorized_at) || session.metadata?.[REPORTED]) return;
  const payments = container.resolve(Modules.PAYMENT);
  // A test payment before the shop went live, or money that was returned in Tua's dashboard, needs nobody.
  if ((await ask(payments, session)).action !== PaymentActions.SUCCESSFUL) return;
  const { id, amount, currency_code, data, metadata } = session;
  const people = {
    event_bus: container.resolve(Modules.EVENT_BUS),
    logger: container.resolve(ContainerRegistrationKeys.LOGGER),
  };
  await reportToPeople(people, `no-order-${id}`, "A paid cart is no order", [
    `GHS ${data["amount"]} arrived as charge ${data["transaction_id"]} for cart ${session.payment_collection?.cart?.id}.`,
    "Medusa could not make its order: the log says why.",
    "Mend the cart and complete it, or refund the charge in Tua's dashboard.",
  ]);
  const told = { ...metadata, [REPORTED]: new Date().toISOString() };
  await payments.updatePaymentSession({ id, amount, currency_code, data, metadata: told });
}

async function listOpen(container: MedusaContainer): Promise<SessionRow[]> {
  const status = [PaymentSessionStatus.PENDING, PaymentSessionStatus.REQUIRES_MORE, PaymentSessionStatus.PENDING_AUTHORIZATION];
  const sessions = await list(container, { status, created_at: within(OPEN_AGE_MS) });
  return sessions.filter(hasCheckout);
}

/** Sessions whose money has arrived, and whose cart is no order: Medusa was stopped in between, or could not reserve the goods. */
async function listWithoutOrder(container: MedusaContainer): Promise<SessionRow[]> {
  const age = new Date().getMinutes() === 0 ? PAID_AGE_MS : MINUTELY_AGE_MS;
  const sessions = await list(container, { status: [PaymentSessionStatus.AUTHORIZED], authorized_at: within(age) });
  return sessions.filter(isWithoutOrder);
}

function isWithoutOrder(session: SessionRow): boolean {
  const cart = session.payment_collection?.cart;
  return hasCheckout(session) && !session.payment?.refunds?.length && Boolean(cart && !cart.completed_at);
}

async function list(container: MedusaContainer, filters: Record<string, unknown>): Promise<SessionRow[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({ entity: "payment_session", fields: FIELDS, filters });
  return data as unknown as SessionRow[];
}

function within(ageMs: number): { $gt: string; $lt: string } {
  return { $gt: new Date(Date.now() - ageMs).toISOString(), $lt: new Date(Date.now() - WEBHOOK_MS).toISOString() };
}
