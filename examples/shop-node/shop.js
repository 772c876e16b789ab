// A shop with one product. It sends the payer to Tua's hosted page, and a webhook reports that
// the order is paid. Where the webhook is lost, it asks.
//
//   (cd ../../sdks/typescript && npm ci && npm run build)
//   npm install
//   TUA_SECRET_KEY=tua_test_v2_… TUA_WEBHOOK_SECRET=whsec_… node shop.js
//
// A real shop keeps its orders in a database. This one keeps them in memory.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { isCheckoutEvent, Tua, TuaError, Webhook } from "@tua-pay/node";
import { tuaWebhook } from "@tua-pay/node/express";

// A variable that is empty counts as unset.
const baseUrl = process.env.TUA_API_URL || "http://127.0.0.1:8080/v1";
// The payer waits while a page asks the service, so a call with all its attempts ends after 10 seconds. The
// default of 60 is for programs that nobody waits for.
const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl, totalTimeout: 10_000 });
const port = Number(process.env.PORT || 9000);
const shopUrl = process.env.SHOP_URL || `http://localhost:${port}`;
const checkInterval = Number(process.env.CHECK_SECONDS || 60) * 1000;
const webhook = new Webhook({ secrets: process.env.TUA_WEBHOOK_SECRET });

// The price. It comes from the server, never from the page: a decimal string in cedis, as the service returns it.
const PRICE = "18.00";

// reference -> { amount, attempt, checkoutId, url, isPaid, isOver }
const orders = new Map();

// What the payer reads. Nobody knows yet whether the payment of a PENDING or UNKNOWN order arrives,
// so neither of them says "failed", "no money moved" or "try again".
const TEXTS = {
  PAID: "Thank you. The order is paid.",
  PENDING: "Your payment is not confirmed yet. Please do not pay again. This page shows when it is.",
  UNKNOWN:
    "We cannot reach the payment service, so we do not know yet whether your payment has arrived. " +
    "If you have paid, please do not pay again. This page asks again.",
  OPEN: "The order is not paid yet.",
  EXPIRED: "The order was not paid in time. No money moved.",
  CLOSED: "The payment was closed. No money moved.",
  NOT_OPENED: "The payment could not begin. No money moved.",
};

// Each attempt to pay an order has an idempotency key of its own. A repeated request of the same
// attempt creates nothing new, so it is safe after a timeout. A new attempt needs a new key: the
// old one would return the old checkout, whose 30 minutes are over.
async function openCheckout(reference, order) {
  const { attempt } = order;
  const checkout = await tua.checkouts.create(
    { amount: order.amount, email: "ama@example.com", reference, returnUrl: `${shopUrl}/orders/${reference}` },
    { idempotencyKey: `${reference}-${attempt}` },
  );
  // Another request may have begun the next attempt meanwhile.
  if (order.attempt !== attempt) return;
  Object.assign(order, { checkoutId: checkout.checkoutId, url: checkout.url, isOver: false });
}

// Asks what happened to the order. UNKNOWN where the service does not answer: that is no failure.
async function findStatus(reference, order) {
  if (order.isPaid) return { status: "PAID" };
  if (!order.checkoutId) return { status: "NOT_OPENED" };
  try {
    const checkout = await tua.checkouts.get(order.checkoutId);
    record(checkout);
    return { ...checkout, status: statusOf(checkout) };
  } catch (error) {
    if (!(error instanceof TuaError)) throw error;
    console.error(`${reference}: ${error.message}`);
    return { status: "UNKNOWN" };
  }
}

// A review can find that no money of a paid checkout arrived: then it is over, unless another charge of it is pending.
function statusOf({ status, paidTransaction, transaction }) {
  if (status !== "PAID" || paidTransaction) return status;
  return transaction?.status === "PENDING" ? "PENDING" : "CLOSED";
}

// Stores what Tua reports: once, whatever arrives twice. Deliver the goods where an order becomes paid.
function record(checkout) {
  const order = orders.get(checkout.reference);
  if (!order || order.isPaid || checkout.currency !== "GHS" || checkout.amount !== order.amount) return;
  const status = statusOf(checkout);
  if (status === "PAID") {
    order.isPaid = true;
    console.log(`${checkout.reference} is paid`);
  } else if (checkout.checkoutId === order.checkoutId) {
    order.isOver = status === "EXPIRED" || status === "CLOSED";
  }
}

// A webhook can be lost, and a payer can close the tab. So the shop asks about each open order.
async function checkOpenOrders() {
  for (const [reference, order] of orders) {
    if (order.checkoutId && !order.isPaid && !order.isOver) await findStatus(reference, order);
  }
}

// The order is stored before the first request, so that the order is not lost if the response is.
async function buy(response) {
  const reference = `order-${randomUUID()}`;
  orders.set(reference, { amount: PRICE, attempt: 1, checkoutId: null, url: null, isPaid: false, isOver: false });
  await pay(reference, response);
}

// Sends the payer to the hosted page. An order has one open checkout, so it cannot be paid twice. Each
// round asks about the checkout that the order has now: another request may have opened one, and one
// whose answer was lost may have expired.
async function pay(reference, response) {
  const order = orders.get(reference);
  if (!order) return send(response, 404, "<p>There is no such order.</p>");
  for (let round = 0; round < 5; round += 1) {
    const { status, checkoutId } = await findStatus(reference, order);
    if (status === "OPEN" && checkoutId === order.checkoutId) {
      return response.writeHead(303, { location: order.url }).end();
    } else if (status === "EXPIRED" || status === "CLOSED") {
      // Only the first of several requests begins the next attempt.
      if (order.checkoutId === checkoutId) Object.assign(order, { attempt: order.attempt + 1, checkoutId: null });
    } else if (status === "NOT_OPENED") {
      try {
        await openCheckout(reference, order);
      } catch (error) {
        if (!(error instanceof TuaError)) throw error;
        // The payer has not seen the hosted page of this attempt. Even where error.outcomeUnknown is true, and
        // the service may have opened the checkout, it moves no money: nobody has its address.
        console.error(`${reference}: ${error.message}`);
        return send(response, 502, `<p>${TEXTS.NOT_OPENED}</p>${payButton(reference, "Try again")}`);
      }
    } else if (status !== "OPEN") {
      break;
    }
  }
  await showOrder(reference, response);
}

// The payer comes back, perhaps before the webhook.
async function showOrder(reference, response) {
  const order = orders.get(reference);
  if (!order) return send(response, 404, "<p>There is no such order.</p>");
  const { status, transaction } = await findStatus(reference, order);
  const text = TEXTS[status] ?? TEXTS.UNKNOWN;
  if (status === "PENDING" || text === TEXTS.UNKNOWN) return send(response, 200, `<p>${text}</p>`, { refresh: 10 });
  // A failed attempt leaves the checkout open: the payer can try again there.
  const failure = transaction?.status === "FAILED" ? `<p>${escape(transaction.failure.message)}</p>` : "";
  const isPayable = status !== "PAID";
  send(response, 200, `<p>${text}</p>${failure}${isPayable ? payButton(reference, "Pay") : ""}`);
}

// Tua reports what happened. A webhook can arrive twice, and later than another one.
const receiveWebhook = tuaWebhook(webhook, (event) => {
  if (isCheckoutEvent(event)) record(event.data);
});

const server = createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url, shopUrl);
    const route = `${request.method} ${pathname}`;
    const [, reference, action] = pathname.match(/^\/orders\/([^/]+)(\/pay)?$/) ?? [];
    if (route === "GET /") return send(response, 200, `<form method="post" action="/buy"><button>Buy for GHS ${PRICE}</button></form>`);
    if (route === "POST /buy") return await buy(response);
    if (route === "POST /webhooks") return await receiveWebhook(request, response);
    if (reference && action && request.method === "POST") return await pay(reference, response);
    if (reference && !action) return await showOrder(reference, response);
    send(response, 404, "<p>There is no such page.</p>");
  } catch (error) {
    // A fault of the shop itself. Whether money moved is not known here.
    console.error(error);
    send(response, 500, "<p>Something went wrong in the shop. If you have paid, please do not pay again.</p>");
  }
});

function payButton(reference, label) {
  return `<form method="post" action="/orders/${reference}/pay"><button>${label}</button></form>`;
}

function send(response, status, body, headers = {}) {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", ...headers });
  response.end(`<!doctype html><html lang="en"><title>Adom Stores</title><h1>Adom Stores</h1>${body}</html>`);
}

function escape(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}

setInterval(() => checkOpenOrders().catch(console.error), checkInterval);
server.listen(port, "127.0.0.1", () => console.log(`The shop is at ${shopUrl}`));
