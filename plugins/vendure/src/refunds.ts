import { TuaApiError, TuaRequestError, type Refund, type Tua } from "@tua-pay/node";
import type { CreateRefundResult, RequestContext, TransactionalConnection } from "@vendure/core";
import { toRefusal } from "./checkouts.js";
import { reasonOf, UnstoredRefund, withRefundKey, type BeginningRefund, type WantedRefund } from "./refund-keys.js";

/** How long an administrator waits for the outcome, in milliseconds. The shop's transaction is open meanwhile. */
const OUTCOME_TIMEOUT_MS = 3_000;
const KEY_REUSED =
  "An earlier refund with another amount was begun, and Vendure did not store it. Look at the charge in Tua's dashboard.";

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
  /** When people were told that nobody knows whether it was made (ISO 8601). From then on, its request is not sent again. */
  givenUpAt?: string;
}

/** Refunds a charge, or takes over a refund of the same amount that the shop has not stored. */
export async function refundCharge(
  tua: Tua,
  connection: TransactionalConnection,
  ctx: RequestContext,
  wanted: WantedRefund,
): Promise<CreateRefundResult> {
  const { tuaCharge, amount } = wanted;
  let atTua: Refund[];
  try {
    atTua = await tua.refunds.list({ transactionId: tuaCharge }).toArray();
  } catch (error) {
    const { message } = toRefusal(error, "Tua does not respond, so nothing was refunded. Please try again.");
    return { state: "Failed", metadata: { tuaCharge, amount, message } };
  }
  try {
    return await withRefundKey(connection, ctx, wanted, atTua, ({ idempotencyKey, made }) =>
      beginRefund(tua, { idempotencyKey, tuaCharge, amount }, made),
    );
  } catch (error) {
    if (!(error instanceof UnstoredRefund)) throw error;
    return { state: "Failed", metadata: { tuaCharge, amount, message: error.message } };
  }
}

/**
 * Begins a refund, unless Tua has made it. An outcome that is not known yet is `Pending`: a webhook or the scheduled task settles
 * it.
 */
export async function beginRefund(
  tua: Tua,
  metadata: RefundMetadata,
  made?: BeginningRefund["made"],
): Promise<CreateRefundResult> {
  try {
    return toResult(await (made ? waitForOutcome(tua, made) : requestRefund(tua, metadata)), metadata);
  } catch (error) {
    if (!(error instanceof TuaRequestError)) throw error;
    const failure = failureOf(error);
    if (failure !== undefined) return { state: "Failed", metadata: { ...metadata, message: failure } };
    return { state: "Pending", metadata: { ...metadata, message: `The outcome is not known yet. (${error.message})` } };
  }
}

/** Why the refund of a request was not made; undefined where it may have been made. */
export function failureOf(error: TuaRequestError): string | undefined {
  // The SDK says "unknown" of this code, because the earlier request with the key was accepted. This one was not.
  if (error instanceof TuaApiError && error.code === "idempotency_key_reused") return KEY_REUSED;
  return error.outcomeUnknown ? undefined : error.message;
}

/** Sends the request of a refund, again if need be, and waits a moment for its outcome. */
export async function requestRefund(tua: Tua, { idempotencyKey, tuaCharge, amount }: RefundMetadata): Promise<Refund> {
  const reason = reasonOf(idempotencyKey);
  return waitForOutcome(tua, await tua.refunds.create({ transactionId: tuaCharge, amount, reason }, { idempotencyKey }));
}

async function waitForOutcome(tua: Tua, begun: Refund): Promise<Refund> {
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
