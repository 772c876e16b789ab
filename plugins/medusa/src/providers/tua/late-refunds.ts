import type { Event, Refund } from "@tua-pay/node";
import { reportToPeople } from "./attention.js";
import { toMedusaError } from "./faults.js";
import type { Connection } from "./options.js";
import { medusaRefundOf } from "./refunds.js";
import type { PaymentModuleContainer } from "./rows.js";
import { isRefundOpen, readData, toCedis, type RefundRecord, type SessionData } from "./session-data.js";

export type RefundEvent = Extract<Event, { type: `refund.${string}` }>;

/** A refund may still be beginning, for this long. Where it fails meanwhile, Medusa deletes its row. */
export const BEGINNING_MS = 120_000;
/** The stored status of a refund that Medusa shows as made, and that is not at Tua: Medusa was stopped before it began. */
const NOT_FOUND = "NOT_FOUND";
const COLUMNS = ["id", "amount", "raw_amount"];

/**
 * Brings the stored refunds of a payment to what Tua reports, and tells people about those that failed after Medusa counted
 * them as made. It needs no webhook.
 *
 * A refund is found by its record, or by the row of Medusa that its reason names: a record is lost where Medusa was stopped, or
 * where two refunds of one payment ended at the same moment.
 */
export async function askAboutRefunds(
  connection: Connection,
  container: PaymentModuleContainer,
  paymentId: string,
): Promise<void> {
  const data = await readPayment(container, paymentId);
  const charge = data.transaction_id;
  // A key does not find the refunds of the other mode.
  if (charge === null || data.mode !== connection.mode) return;
  const created_at = { $lt: new Date(Date.now() - BEGINNING_MS).toISOString() };
  const rows = await container.refundService.list({ payment_id: paymentId, created_at }, { select: COLUMNS });
  const open = rows.filter(({ id }) => isRefundOpen(data, id));
  if (open.length === 0) return;
  const made = await listRefunds(connection, charge);
  const outcomes: RefundRecord[] = [];
  for (const { id, amount } of open) {
    const record = data.refunds.find(({ medusa_refund_id }) => medusa_refund_id === id);
    const found = made.find((refund) => (record ? refund.refundId === record.refund_id : medusaRefundOf(refund) === id));
    if (found) {
      if (found.status === record?.status) continue;
      if (found.status === "FAILED") await reportRefund(container, "refund.failed", found);
      outcomes.push({ refund_id: found.refundId, medusa_refund_id: id, amount: toCedis(found.amount), status: found.status });
    } else if (!record) {
      await reportToPeople(container, `refund-not-found-${id}`, "A refund that Medusa shows is not at Tua", [
        `No refund of charge ${charge} names Medusa's refund ${id} of GHS ${toCedis(amount)}.`,
        "Look at the charge in Tua's dashboard, and return the money there if no refund of this sum is shown.",
      ]);
      outcomes.push({ refund_id: null, medusa_refund_id: id, amount: toCedis(amount), status: NOT_FOUND });
    }
  }
  if (outcomes.length > 0) await store(container, paymentId, outcomes);
}

/** Tells people that a refund failed which Medusa counts as made, or that the operator contradicts its outcome. */
export async function reportRefund(
  container: PaymentModuleContainer,
  type: RefundEvent["type"],
  { refundId, amount, transactionId, failure }: Refund,
): Promise<void> {
  await reportToPeople(container, `${type}-${refundId}`, "A refund failed that Medusa shows as made", [
    `Refund of GHS ${amount} (charge ${transactionId}): ${failure?.message ?? "the operator contradicts its outcome"}.`,
    "Return the money in Tua's dashboard.",
  ]);
}

async function listRefunds({ tua }: Connection, transactionId: string): Promise<Refund[]> {
  const made: Refund[] = [];
  try {
    for await (const refund of tua.refunds.list({ transactionId })) made.push(refund);
  } catch (error) {
    throw toMedusaError(error, "It is not known how the refunds of this payment ended.");
  }
  return made;
}

async function readPayment(container: PaymentModuleContainer, paymentId: string): Promise<SessionData> {
  const { data } = await container.paymentService.retrieve(paymentId, { select: ["id", "data"] });
  return readData(data ?? undefined);
}

/** Reads the payment again, because another refund may have been recorded since the question. */
async function store(container: PaymentModuleContainer, paymentId: string, outcomes: RefundRecord[]): Promise<void> {
  const data = await readPayment(container, paymentId);
  const isChanged = (before: RefundRecord) => outcomes.some((now) => now.medusa_refund_id === before.medusa_refund_id);
  const refunds = [...data.refunds.filter((record) => !isChanged(record)), ...outcomes];
  await container.paymentService.update({ id: paymentId, data: { ...data, refunds } });
}
