import { MedusaError } from "@medusajs/framework/utils";
import { TuaApiError, type Checkout } from "@tua-pay/node";
import { readState, type CheckoutNow } from "./checkout-state.js";
import { ALREADY_PAID, isTestLeftBehind, NOT_CONFIRMED, toMedusaError, UNKNOWN } from "./faults.js";
import type { Connection } from "./options.js";
import { findSiblings, type PaymentModuleContainer, type SessionRow } from "./rows.js";
import { isSessionData, type SessionData, type StoredCheckout } from "./session-data.js";

export interface CheckoutOrder {
  sessionId: string;
  amount: string;
  email: string;
  returnUrl: string;
  /** The attempt that the session had before. Its checkout is closed, so its key is not used again. */
  previousAttempt?: number;
}

/** How many checkouts one cart can have had. */
const ATTEMPT_LIMIT = 100;
/** A session without a checkout may still be beginning one, for this long. */
const BEGINNING_MS = 60_000;
const NOTHING_BEGAN = "The mobile money payment could not begin. No money moved. Please try again.";

/**
 * Opens the checkout of a session. A payment collection has at most one checkout that can be paid: the others are closed
 * first, and where one is pending or paid, no new one begins. The number of the attempt is part of the idempotency key, so of
 * two requests at the same time only one opens a checkout.
 */
export async function openCheckout(
  connection: Connection,
  container: PaymentModuleContainer,
  order: CheckoutOrder,
): Promise<SessionData> {
  const { tua, mode } = connection;
  const { sessionId, amount, email, returnUrl } = order;
  const { collectionId, others } = await findSiblings(container, sessionId);
  for (const other of others) await closeOther(connection, other);
  const attempts = [order.previousAttempt, ...others.map(({ data }) => data?.["attempt"])];
  const used = attempts.filter((attempt) => typeof attempt === "number");
  for (let attempt = Math.max(-1, ...used) + 1; attempt < ATTEMPT_LIMIT; attempt += 1) {
    try {
      const opened = await tua.checkouts.create(
        {
          amount,
          email,
          reference: sessionId,
          returnUrl,
          metadata: { medusaSession: sessionId, medusaCollection: collectionId },
        },
        { idempotencyKey: `medusa-${collectionId}-${attempt}` },
      );
      return {
        session_id: sessionId,
        checkout_id: opened.checkoutId,
        checkout_token: opened.checkoutToken,
        url: opened.url,
        expires_at: opened.expiresAt,
        amount,
        mode,
        email,
        return_url: returnUrl,
        attempt,
        transaction_id: null,
        refunds: [],
      };
    } catch (error) {
      if (!(error instanceof TuaApiError && error.code === "idempotency_key_reused")) throw toMedusaError(error, NOTHING_BEGAN);
      await checkThatNobodyBegins(connection, container, sessionId, attempt);
    }
  }
  throw new MedusaError(MedusaError.Types.NOT_ALLOWED, "This cart has had too many checkouts. Please begin with a new cart.");
}

/** Another session had this attempt. Closes its checkout, or refuses while it is beginning one. */
async function checkThatNobodyBegins(
  connection: Connection,
  container: PaymentModuleContainer,
  sessionId: string,
  attempt: number,
): Promise<void> {
  const { others } = await findSiblings(container, sessionId);
  const owner = others.find(({ data }) => data?.["attempt"] === attempt);
  if (owner) return closeOther(connection, owner);
  const isBeginning = ({ data, created_at }: SessionRow) =>
    typeof data?.["checkout_id"] !== "string" && Date.now() - new Date(created_at).getTime() < BEGINNING_MS;
  if (!others.some(isBeginning)) return;
  throw new MedusaError(MedusaError.Types.CONFLICT, "Another request is beginning the payment of this cart. Please try again.");
}

async function closeOther(connection: Connection, { data }: SessionRow): Promise<void> {
  if (isSessionData(data)) await closeCheckout(connection, data);
}

/** Asks about the checkout of a session. Throws where Tua does not respond: then nothing is known. */
export async function askCheckout(connection: Connection, stored: StoredCheckout): Promise<CheckoutNow> {
  try {
    return await readState(connection.tua, await findCheckout(connection, stored));
  } catch (error) {
    throw toMedusaError(error, UNKNOWN);
  }
}

async function findCheckout({ tua, mode }: Connection, stored: StoredCheckout): Promise<Checkout | undefined> {
  try {
    return await tua.checkouts.get(stored.checkout_id);
  } catch (error) {
    if (isTestLeftBehind(error, stored.mode, mode)) return undefined;
    throw error;
  }
}

/** Closes a checkout, so that nobody can pay it any more. Throws while a payment of it is pending, or if it is paid. */
export async function closeCheckout(connection: Connection, stored: StoredCheckout): Promise<void> {
  try {
    await connection.tua.checkouts.close(stored.checkout_id);
  } catch (error) {
    if (isTestLeftBehind(error, stored.mode, connection.mode)) return;
    const code = error instanceof TuaApiError ? error.code : undefined;
    if (code === "charge_in_progress") throw new MedusaError(MedusaError.Types.NOT_ALLOWED, NOT_CONFIRMED);
    if (code !== "checkout_already_paid") throw toMedusaError(error, UNKNOWN);
    const { state } = await askCheckout(connection, stored);
    if (state === "PENDING") throw new MedusaError(MedusaError.Types.NOT_ALLOWED, NOT_CONFIRMED);
    if (state !== "REFUNDED") throw new MedusaError(MedusaError.Types.NOT_ALLOWED, ALREADY_PAID);
  }
}
