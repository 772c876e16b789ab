import { TuaApiError, TuaRequestError, type Refund, type Tua } from "@tua-pay/node";
import type { CreateRefundResult } from "@vendure/core";

/** How long an administrator waits for the outcome, in milliseconds. The shop's transaction is open meanwhile. */
const OUTCOME_TIMEOUT_MS = 3_000;

/** What a refund of this plug-in stores. */
export interface RefundMetadata {
  /** The key of the request: a repetition with it never returns the money twice. */
  idempotencyKey: string;
  tuaCharge: string;
  amount: string;
  /** The outcome that Tua reported last; absent while Tua has not responded. */
  status?: Refund["status"];
  /** Why it failed, or what is not known. */
  message?: string;
}

/** Begins a refund. An outcome that is not known yet is `Pending`: a webhook or the scheduled task settles it. */
export async function beginRefund(tua: Tua, metadata: RefundMetadata): Promise<CreateRefundResult> {
  try {
    return toResult(await requestRefund(tua, metadata), metadata);
  } catch (error) {
    if (error instanceof TuaRequestError && error.outcomeUnknown) {
      return { state: "Pending", metadata: { ...metadata, message: `The outcome is not known yet. (${error.message})` } };
    }
    if (error instanceof TuaApiError && error.code === "idempotency_key_reused") {
      const message =
        "An earlier refund with another amount was begun, and Vendure did not store it. Look at the charge in Tua's dashboard.";
      return { state: "Failed", metadata: { ...metadata, message } };
    }
    if (!(error instanceof TuaRequestError)) throw error;
    return { state: "Failed", metadata: { ...metadata, message: error.message } };
  }
}

/** Sends the request of a refund, again if need be, and waits a moment for its outcome. */
export async function requestRefund(tua: Tua, { idempotencyKey, tuaCharge, amount }: RefundMetadata): Promise<Refund> {
  const begun = await tua.refunds.create({ transactionId: tuaCharge, amount, reason: "Refund in Vendure" }, { idempotencyKey });
  if (begun.status !== "PENDING") return begun;
  // No response is no outcome: the refund was begun all the same.
  return tua.refunds.wait(begun.refundId, { timeout: OUTCOME_TIMEOUT_MS }).catch(() => begun);
}

function toResult(refund: Refund, request: RefundMetadata): CreateRefundResult {
  const transactionId = refund.refundId;
  const metadata = { ...request, status: refund.status };
  switch (refund.status) {
    case "SUCCESSFUL":
      return { state: "Settled", transactionId, metadata };
    case "PENDING":
      return { state: "Pending", transactionId, metadata };
    case "FAILED":
      return { state: "Failed", transactionId, metadata: { ...metadata, message: refund.failure.message } };
  }
}
