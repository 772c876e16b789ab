// A shop with one product. It sends the payer to Tua's hosted page, and learns from a webhook that the order is paid.
//
//   npm install
//   TUA_SECRET_KEY=tua_test_v2_… TUA_WEBHOOK_SECRET=whsec_… node shop.js
//
// A real shop keeps its orders in a database. This one keeps them in memory.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const tua = process.env.TUA_URL ?? "http://127.0.0.1:8080";
const secretKey = process.env.TUA_SECRET_KEY;
const port = Number(process.env.PORT ?? 9000);
const shopUrl = process.env.SHOP_URL ?? `http://localhost:${port}`;
const webhook = new Webhook(process.env.TUA_WEBHOOK_SECRET);

const orders = new Map(); // reference -> { amount, checkoutId, isPaid }

// The only place that says what things cost. Amounts are in cedis, with two decimals at most.
const PRICE = 18.0;

async function callTua(method, path, body, idempotencyKey) {
  const headers = { "x-api-key": secretKey };
  if (body) headers["content-type"] = "application/json";
  // With the same key, a repeated request creates nothing new, so it is safe to repeat it after a timeout.
  if (idempotencyKey) headers["idempotency-key"] = idempotencyKey;
  const response = await fetch(`${tua}/v1${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.title}: ${answer.detail} (request ${answer.requestId})`);
  return answer;
}

// Opens a checkout for a new order, and sends the payer to it.
async function buy(request, response) {
  const reference = `order-${randomUUID()}`;
  const checkout = await callTua(
    "POST",
    "/checkout",
    { amount: PRICE, email: "ama@example.com", reference, returnUrl: `${shopUrl}/orders/${reference}` },
    reference,
  );
  orders.set(reference, { amount: PRICE, checkoutId: checkout.checkoutId, isPaid: false });
  response.writeHead(303, { location: checkout.url }).end();
}

// Tua reports what happened. A webhook can arrive twice, and later than another one.
async function receiveWebhook(request, response) {
  let event;
  try {
    event = webhook.verify(await readBody(request), request.headers);
  } catch {
    return response.writeHead(400).end("wrong signature\n");
  }
  if (event.type === "checkout.paid") markPaid(event.data);
  response.writeHead(204).end();
}

// Once, whatever arrives twice. Deliver the goods here.
function markPaid(checkout) {
  const order = orders.get(checkout.reference);
  if (!order || order.isPaid || checkout.amount !== order.amount) return;
  order.isPaid = true;
  console.log(`${checkout.reference} is paid`);
}

// The payer comes back, perhaps before the webhook. So the shop asks.
async function showOrder(reference, response) {
  const order = orders.get(reference);
  if (!order) return send(response, 404, "<p>There is no such order.</p>");
  let { status } = order.isPaid ? { status: "PAID" } : await callTua("GET", `/checkout/${order.checkoutId}`).then(settle);
  const texts = {
    PAID: "Thank you. The order is paid.",
    PENDING: "Your payment is not confirmed yet. Please do not pay again. This page shows when it is.",
    OPEN: "The order is not paid yet.",
    EXPIRED: "The order was not paid. No money moved.",
    CLOSED: "The order was closed. No money moved.",
  };
  send(response, 200, `<p>${texts[status]}</p>`);
}

function settle(checkout) {
  if (checkout.status === "PAID") markPaid(checkout);
  return checkout;
}

const server = createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url, shopUrl);
    if (request.method === "POST" && pathname === "/buy") return await buy(request, response);
    if (request.method === "POST" && pathname === "/webhooks") return await receiveWebhook(request, response);
    if (pathname.startsWith("/orders/")) return await showOrder(pathname.slice("/orders/".length), response);
    if (pathname === "/") return send(response, 200, `<form method="post" action="/buy"><button>Buy for GHS ${PRICE.toFixed(2)}</button></form>`);
    send(response, 404, "<p>There is no such page.</p>");
  } catch (error) {
    console.error(error.message);
    send(response, 502, "<p>The payment service does not respond. No money moved. Please try again.</p>");
  }
});

function send(response, status, body) {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><html lang="en"><title>Adom Stores</title><h1>Adom Stores</h1>${body}</html>`);
}

// The signature covers the exact bytes, so the body is not parsed before it is verified.
async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

server.listen(port, "127.0.0.1", () => console.log(`The shop is at ${shopUrl}`));
