import { MedusaError } from "@medusajs/framework/utils";
import type { Refund, Tua } from "@tua-pay/node";
import { toMedusaError } from "./faults.js";
import type { PaymentModuleContainer } from "./rows.js";
import type { RefundRecord, SessionData } from "./session-data.js";

/** How long an administrator waits for the outcome of a refund, in milliseconds. */
const OUTCOME_TIMEOUT_MS = 10_000;
const REASON = /^Medusa refund (\S+)$/;

/**
 * Returns money. A refund whose outcome is not known in time counts as made: an unknown outcome is no failure, and
 * `refund.failed` reports a later one.
 *
 * Medusa deletes its row where this throws, and makes another one where the administrator tries again. So a refund at Tua
 * whose row is gone, and that has not failed, is the same refund: it is taken over, and never made twice.
 */
export async function refund(
  tua: Tua,
  container: PaymentModuleContainer,
  data: SessionData,
  amount: string,
  medusaRefundId: string,
): Promise<RefundRecord> {
  const transactionId = data.transaction_id;
  if (!transactionId)
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, "This payment has no charge at Tua that could be refunded.");
  const begun =
    (await findUnrecorded(tua, container, data, transactionId, amount)) ??
    (await create(tua, { transactionId, amount, reason: `Medusa refund ${medusaRefundId}` }, medusaRefundId));
  const { refundId, status, failure } = await waitForOutcome(tua, begun);
  if (status === "FAILED") {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, `The refund failed, and no money moved: ${failure.message}`);
  }
  return { refund_id: refundId, medusa_refund_id: medusaRefundId, amount, status };
}

/** The row of Medusa that a refund at Tua was made for; undefined if it was made elsewhere. */
export function medusaRefundOf({ reason }: Refund): string | undefined {
  return REASON.exec(reason ?? "")?.[1];
}

/** A refund at Tua that an earlier attempt made, and that Medusa did not record. */
async function findUnrecorded(
  tua: Tua,
  container: PaymentModuleContainer,
  data: SessionData,
  transactionId: string,
  amount: string,
): Promise<Refund | undefined> {
  const recorded = new Set(data.refunds.map(({ refund_id }) => refund_id));
  const candidates: Refund[] = [];
  try {
    for await (const made of tua.refunds.list({ transactionId })) {
      if (made.status !== "FAILED" && !recorded.has(made.refundId) && medusaRefundOf(made)) candidates.push(made);
    }
  } catch (error) {
    throw toMedusaError(error, "Tua does not respond, so nothing was refunded. Please try again.");
  }
  if (candidates.length === 0) return undefined;
  const rows = await container.refundService.list({ id: candidates.map(medusaRefundOf) }, { select: ["id"] });
  const known = new Set(rows.map(({ id }) => id));
  const unrecorded = candidates.filter((made) => !known.has(medusaRefundOf(made)!));
  const same = unrecorded.find((made) => made.amount === amount);
  if (same ?? unrecorded.length === 0) return same;
  throw new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    `An earlier refund of GHS ${unrecorded[0]!.amount} was begun, and Medusa did not record it. Refund exactly this amount first: it is not made twice.`,
  );
}

async function create(
  tua: Tua,
  request: { transactionId: string; amount: string; reason: string },
  medusaRefundId: string,
): Promise<Refund> {
  try {
    return await tua.refunds.create(request, { idempotencyKey: `medusa-${medusaRefundId}` });
  } catch (error) {
    throw toMedusaError(
      error,
      "It is not known whether the refund was begun. Refund the same amount again: it is never made twice.",
    );
  }
}

async function waitForOutcome(tua: Tua, begun: Refund): Promise<Refund> {
  if (begun.status !== "PENDING") return begun;
  // No response is no outcome: the refund was begun all the same.
  return tua.refunds.wait(begun.refundId, { timeout: OUTCOME_TIMEOUT_MS }).catch(() => begun);
}
