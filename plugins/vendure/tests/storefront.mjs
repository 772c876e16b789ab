/* A shopper of a storefront, and what the administration shows about an order. */
import { randomUUID } from "node:crypto";
import { waitFor } from "../../support/processes.mjs";
import { createClient } from "./vendure.mjs";

const ORDER = `id code state totalWithTax currencyCode payments { id state amount transactionId metadata errorMessage }`;
export function createStorefront(origin, goods) {
  /** A shopper whose order has one product and can be paid. */
  const arrangePayment = async (currencyCode = "GHS") => {
    const shopper = createClient(origin, "shop-api", `?currencyCode=${currencyCode}`);
    const call = async (mutation, selection, variables, types) => {
      const names = Object.keys(types);
      const signature = names.map((name) => `$${name}: ${types[name]}`).join(", ");
      const document = `mutation(${signature}) { ${mutation}(${names.map((name) => `${name}: $${name}`).join(", ")}) { ${selection} } }`;
      return (await shopper(document, variables))[mutation];
    };
    const transition = (state) =>
      call(
        "transitionOrderToState",
        `__typename ... on Order { ${ORDER} } ... on OrderStateTransitionError { errorCode message transitionError }`,
        { state },
        { state: "String!" },
      );
    const addItem = () =>
      call(
        "addItemToOrder",
        `__typename ... on Order { ${ORDER} } ... on ErrorResult { errorCode message }`,
        { productVariantId: goods.variant, quantity: 1 },
        { productVariantId: "ID!", quantity: "Int!" },
      );
    const pay = (method, metadata) =>
      call(
        "addPaymentToOrder",
        `__typename ... on Order { ${ORDER} } ... on PaymentDeclinedError { paymentErrorMessage } ... on ErrorResult { errorCode message }`,
        { input: { method, metadata } },
        { input: "PaymentInput!" },
      );
    await addItem();
    const customer = { firstName: "Ama", lastName: "Mensah", emailAddress: `${randomUUID()}@example.com` };
    await call("setCustomerForOrder", "__typename", { input: customer }, { input: "CreateCustomerInput!" });
    const address = { streetLine1: "2 High Street", city: "Accra", countryCode: "GH" };
    await call("setOrderShippingAddress", "__typename", { input: address }, { input: "CreateAddressInput!" });
    await call("setOrderShippingMethod", "__typename", { shippingMethodId: [goods.shipping] }, { shippingMethodId: "[ID!]!" });
    const { code, state, transitionError } = await transition("ArrangingPayment");
    if (state !== "ArrangingPayment") throw new Error(transitionError ?? state);
    return {
      code,
      addItem,
      transition,
      pay,
      /** Begins a mobile money payment, and returns what the storefront may read of it. */
      beginPayment: async (metadata = {}) => {
        const order = await pay("mobile-money", metadata);
        if (order.__typename !== "Order") throw new Error(order.paymentErrorMessage ?? order.message);
        const pending = order.payments.filter(({ state }) => state === "Pending");
        const payment = pending.at(-1);
        return { ...payment.metadata.public, checkoutId: payment.transactionId, paymentId: payment.id, pending: pending.length };
      },
    };
  };
  return { arrangePayment };
}

/** An order as the administration shows it, with its refunds and notes. */
export async function readOrder(admin, code) {
  const { orders } = await admin(
    `query($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items {
      id code state totalWithTax
      payments { id method state amount transactionId metadata errorMessage refunds { id state total transactionId metadata } }
      history { items { type data } } } } }`,
    { code },
  );
  return orders.items[0];
}

export function waitForState(admin, code, state) {
  return waitFor(`order ${code} in ${state}`, async () => {
    const order = await readOrder(admin, code);
    return order.state === state && order;
  });
}

export const notesOf = (order) => order.history.items.filter(({ type }) => type === "ORDER_NOTE").map(({ data }) => data.note);

/** What each payment of an order has brought: state and sum, in the order in which they began. */
export const paymentsOf = ({ payments }) =>
  payments.toSorted((a, b) => Number(a.id) - Number(b.id)).map(({ state, amount }) => [state, amount]);
