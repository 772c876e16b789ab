import { defineMiddlewares, type MedusaNextFunction, type MedusaRequest, type MedusaResponse } from "@medusajs/framework/http";
import { ContainerRegistrationKeys, MedusaError, Modules, PaymentActions } from "@medusajs/framework/utils";
import { ask, hasCheckout, type AskedSession } from "../question.js";

const CHANGES = [
  "/store/carts/:id",
  "/store/carts/:id/customer",
  "/store/carts/:id/line-items",
  "/store/carts/:id/line-items/:line_id",
  "/store/carts/:id/promotions",
  "/store/carts/:id/shipping-methods",
  "/store/carts/:id/taxes",
];

const NOT_CONFIRMED =
  "The mobile money payment of this cart is not confirmed yet, so the cart cannot change now. Please do not pay again.";
const PAID = "This cart is paid, so it cannot change. Complete it.";

interface CollectionRow {
  payment_sessions?: (AskedSession | null)[];
}

/**
 * Refuses to change a cart while its payment is pending, or has arrived and is not an order yet: Medusa would delete the
 * payment session, and the money would belong to another cart than the payer saw.
 */
async function refuseCartWhilePaying(request: MedusaRequest, _response: MedusaResponse, next: MedusaNextFunction): Promise<void> {
  if (!request.path.endsWith("/complete")) {
    const fields = ["id", "completed_at", "payment_collection.payment_sessions.*"];
    const cart = await find<{ completed_at?: unknown; payment_collection?: CollectionRow | null }>(request, "cart", fields);
    if (cart && !cart.completed_at) await checkThatNobodyPays(request, cart.payment_collection);
  }
  next();
}

/** Refuses to begin another payment of the same cart. */
async function refusePaymentWhilePaying(
  request: MedusaRequest,
  _response: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  await checkThatNobodyPays(request, await find<CollectionRow>(request, "payment_collection", ["id", "payment_sessions.*"]));
  next();
}

async function checkThatNobodyPays(request: MedusaRequest, collection: CollectionRow | null | undefined): Promise<void> {
  const payments = request.scope.resolve(Modules.PAYMENT);
  for (const session of collection?.payment_sessions ?? []) {
    if (!session || !hasCheckout(session)) continue;
    const { action } = await ask(payments, session);
    if (action === PaymentActions.PENDING) throw new MedusaError(MedusaError.Types.NOT_ALLOWED, NOT_CONFIRMED);
    if (action === PaymentActions.SUCCESSFUL) throw new MedusaError(MedusaError.Types.NOT_ALLOWED, PAID);
  }
}

/** The row that the path of a request names. */
async function find<T>(request: MedusaRequest, entity: string, fields: string[]): Promise<T | undefined> {
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({ entity, fields, filters: { id: request.params["id"]! } });
  return data[0] as T | undefined;
}

export default defineMiddlewares({
  routes: [
    ...CHANGES.map((matcher) => ({
      matcher,
      method: ["POST" as const, "DELETE" as const],
      middlewares: [refuseCartWhilePaying],
    })),
    { matcher: "/store/payment-collections/:id/payment-sessions", method: ["POST"], middlewares: [refusePaymentWhilePaying] },
  ],
});
