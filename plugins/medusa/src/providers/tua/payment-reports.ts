import type { Checkout, Event, Transaction } from "@tua-pay/node";
import { reportToPeople } from "./attention.js";
import { isReceived } from "./charges.js";
import { findSiblings, type PaymentModuleContainer, type SessionRow } from "./rows.js";
import { isSessionData } from "./session-data.js";

/** Whether a checkout or charge was begun by this plug-in. Other programs may use the same account. */
export function isOfMedusa({ reference, metadata }: Pick<Checkout, "reference" | "metadata">): boolean {
  return metadata?.["medusaSession"] === reference;
}

/**
 * Tells people about money that arrived and that no cart waits for, or that pays a cart again. Returns whether the session waits
 * for it.
 */
export async function checkMoney(
  container: PaymentModuleContainer,
  session: SessionRow | undefined,
  checkout: Checkout,
  chargeId: string,
): Promise<boolean> {
  const { checkoutId, amount } = checkout;
  if (!session) {
    await reportToPeople(container, `lost-${checkoutId}`, "A payment without a cart", [
      `GHS ${amount} arrived for checkout ${checkoutId}, whose payment session is deleted.`,
      `Refund charge ${chargeId} in Tua's dashboard, or make the order by hand.`,
    ]);
    return false;
  }
  if (isSessionData(session.data) && session.data.checkout_id !== checkoutId) {
    await reportToPeople(container, `earlier-${checkoutId}`, "A payment of an earlier checkout", [
      `GHS ${amount} arrived as charge ${chargeId} for checkout ${checkoutId}.`,
      "This checkout was closed when the sum of the cart changed, so its money completes no cart.",
      "Refund the charge in Tua's dashboard, or make the order by hand.",
    ]);
    return false;
  }
  const { others } = await findSiblings(container, session.id);
  // Two checkouts of one cart are paid only where an operator contradicts itself.
  if (others.some(({ payment }) => payment)) {
    await reportToPeople(container, `twice-${checkoutId}`, "A cart was paid twice", [
      `GHS ${amount} arrived again, as charge ${chargeId}. Refund one of the order's payments.`,
    ]);
  }
  return true;
}

/**
 * Tells people about a charge that pays a checkout again, or whose operator contradicts its outcome. Tua reports a checkout as
 * paid once, also where a second charge of it brings money, which is possible after a contradiction.
 */
export async function reportCharge(container: PaymentModuleContainer, type: Event["type"], charge: Transaction): Promise<void> {
  if (!isOfMedusa(charge)) return;
  const { transactionId, amount, reference } = charge;
  const paid = await findRecordedCharge(container, charge);
  if (paid && paid !== transactionId && isReceived(charge)) {
    await reportToPeople(container, `twice-${transactionId}`, "A cart was paid twice", [
      `GHS ${amount} arrived again, as charge ${transactionId} of the same checkout. Medusa has recorded charge ${paid}.`,
      "Look at both in Tua's dashboard, and refund one of them there.",
    ]);
  } else if (type === "charge.conflict") {
    await reportToPeople(container, `charge-conflict-${transactionId}`, "An operator contradicts a payment", [
      `Charge ${transactionId} of GHS ${amount} (reference ${reference}).`,
      "Look at it in Tua's dashboard before you send the goods.",
    ]);
  }
}

/** The charge that is stored as the one that paid the checkout of this charge; undefined where none is. */
async function findRecordedCharge(
  { paymentSessionService }: PaymentModuleContainer,
  { reference, checkoutId }: Transaction,
): Promise<string | undefined> {
  const [session] = await paymentSessionService.list({ id: reference });
  if (!session || !isSessionData(session.data) || session.data.checkout_id !== checkoutId) return undefined;
  return session.data.transaction_id ?? undefined;
}
