/* A storefront's requests, and what the administration shows about an order. */
import { randomUUID } from "node:crypto";
import { waitFor } from "../../support/processes.mjs";
import { createClient } from "./medusa.mjs";

const PROVIDER = "pp_tua_tua";

export function createStorefront(origin, goods) {
  const request = createClient(origin, { "x-publishable-api-key": goods.publishableKey });
  const storefront = {
    request,
    /** A cart with one product, ready to be paid. */
    fillCart: async ({ region = goods.ghana, country_code = "gh", variant = goods.variant } = {}) => {
      const email = `${randomUUID()}@example.com`;
      const address = { first_name: "Ama", last_name: "Mensah", address_1: "2 High Street", city: "Accra", country_code };
      const { cart } = await request("POST", "/store/carts", { region_id: region, email, shipping_address: address });
      await storefront.addItem(cart.id, variant);
      await request("POST", `/store/carts/${cart.id}/shipping-methods`, { option_id: goods.shipping });
      const { payment_collection } = await request("POST", "/store/payment-collections", { cart_id: cart.id });
      return { id: cart.id, email, collection: payment_collection.id };
    },
    addItem: (cartId, variant = goods.variant) =>
      request("POST", `/store/carts/${cartId}/line-items`, { variant_id: variant, quantity: 1 }),
    /** Begins the payment of a cart, and returns what the session stores for the page. */
    beginPayment: async ({ collection, email }, data = {}) => {
      const body = { provider_id: PROVIDER, data: { email, ...data } };
      const { payment_collection } = await request("POST", `/store/payment-collections/${collection}/payment-sessions`, body);
      return payment_collection.payment_sessions.at(-1).data;
    },
    sessionsOf: async ({ id }) => {
      const { cart } = await request("GET", `/store/carts/${id}?fields=*payment_collection.payment_sessions`);
      return cart.payment_collection.payment_sessions;
    },
    complete: ({ id }) => request("POST", `/store/carts/${id}/complete`),
  };
  return storefront;
}

const FIELDS =
  "id,email,payment_status,status,summary,*payment_collections,*payment_collections.payments,*payment_collections.payments.refunds,*payment_collections.payments.captures";

/** The orders of a cart, which has an e-mail address of its own. */
export async function listOrders(admin, { email }) {
  const { orders } = await admin("GET", `/admin/orders?limit=100&order=-created_at&fields=${FIELDS}`);
  return orders.filter((order) => order.email === email);
}

/** Waits until a cart is an order whose payment has arrived, and is among the order's transactions. */
export function waitForPaidOrder(admin, cart) {
  return waitFor("the paid order", async () => {
    const [order] = await listOrders(admin, cart);
    return order?.payment_status === "captured" && order.summary.paid_total > 0 && order;
  });
}

/** What was captured: one sum for each capture of each payment. */
export function capturesOf(order) {
  return order.payment_collections
    .flatMap(({ payments }) => payments)
    .flatMap(({ captures }) => captures.map(({ amount }) => amount));
}
