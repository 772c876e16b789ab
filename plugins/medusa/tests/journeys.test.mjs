import { signDelivery } from "@tua-pay/node/testing";
import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { chromium } from "playwright-core";
import { payInStorefront, payOnHostedPage, startPages } from "../../support/browser.mjs";
import { startBreaker } from "../../support/breaker.mjs";
import { startPostgres } from "../../support/postgres.mjs";
import { barrier, waitFor } from "../../support/processes.mjs";
import { startTua } from "../../support/tua.mjs";
import { forward, startRelay } from "../../support/webhooks.mjs";
import { onOrderPage, openRefund, waitForStatus } from "./admin.mjs";
import { createShop, fillShop, signIn } from "./medusa.mjs";
import { capturesOf, createStorefront, listOrders, waitForPaidOrder } from "./storefront.mjs";

const REFUND_FAILS = "0240000021";
const REFUND_STAYS_PENDING = "0240000022";

const ended = [];
let postgres, tua, breaker, relay, pages, shop, options, admin, storefront, goods, secrets;

before(async () => {
  [postgres, tua] = await Promise.all([startPostgres(), startTua()]);
  ended.push(postgres.stop, tua.stop);
  breaker = await startBreaker(tua.origin);
  relay = await startRelay(() => shop.webhookUrl);
  pages = await startPages(tua.origin);
  ended.push(breaker.stop, relay.stop, pages.stop);
  const webhookSecret = await tua.addWebhook(relay.url);
  secrets = [tua.secretKey, webhookSecret];
  options = { secretKey: tua.secretKey, baseUrl: `${breaker.origin}/v1`, webhookSecret, returnUrl: pages.returnUrl };
  shop = await createShop({ databaseUrl: postgres.url, tua: options });
  ended.push(shop.stop);
  await shop.start();
  admin = await signIn(shop.origin);
  goods = await fillShop(admin);
  storefront = createStorefront(shop.origin, goods);
});

after(async () => {
  for (const end of ended.reverse()) await end();
});

/** Buys while webhooks are lost: the storefront completes the cart. */
async function buyWithoutWebhook(phoneNumber) {
  const cart = await storefront.fillCart();
  const session = await storefront.beginPayment(cart);
  await tua.pay(session.checkout_token, phoneNumber);
  await tua.waitForCheckout(session.checkout_id, "PAID");
  await storefront.complete(cart);
  const [order] = await listOrders(admin, cart);
  return { cart, payment: order.payment_collections[0].payments[0] };
}

/** Losing webhooks ends with the test that wants it. */
async function withRelay(mode, walk) {
  relay.mode = mode;
  try {
    await walk();
  } finally {
    relay.mode = "pass";
  }
}

async function buy(phoneNumber) {
  const cart = await storefront.fillCart();
  const session = await storefront.beginPayment(cart);
  await tua.pay(session.checkout_token, phoneNumber);
  const order = await waitForPaidOrder(admin, cart);
  return { cart, session, order, payment: order.payment_collections[0].payments[0] };
}

/** What Tua has returned of a payment: sum and status of each refund. */
const sumsOf = async ({ data }) => (await tua.refundsOf(data.transaction_id)).map(({ amount, status }) => [amount, status]);

/** Starts the shop again with another secret key. */
async function restartWith(secretKey) {
  await shop.stop();
  await shop.configure({ ...options, secretKey });
  await shop.start();
}

/** Signs an event as if it had waited in a queue. */
function signEarlier(event, ageMs) {
  mock.timers.enable({ apis: ["Date"], now: Date.now() - ageMs });
  try {
    return signDelivery(secrets[1], event);
  } finally {
    mock.timers.reset();
  }
}

/** Waits until the admin shows a notification about something. */
async function waitForNotification(title, subject) {
  await waitFor(title, async () => {
    const { notifications } = await admin("GET", "/admin/notifications?limit=100");
    return notifications.some(({ data }) => data?.title === title && data.description.includes(subject));
  });
}

test("a webhook makes the order, and marks it as paid once", async () => {
  const { cart, session, order } = await buy();
  assert.equal(session.amount, "18.00");
  assert.match(session.url, /^http.*key=tua_checkout_/);
  assert.deepEqual(capturesOf(order), [18]);
  assert.equal(order.summary.paid_total, 18);
  const completed = await storefront.complete(cart);
  assert.equal(completed.order.id, order.id);
  assert.equal((await listOrders(admin, cart)).length, 1);
});

test("a payer pays on the hosted page in a browser, and comes back", async () => {
  const cart = await storefront.fillCart();
  const session = await storefront.beginPayment(cart, { return_url: `${pages.returnUrl}?cart=${cart.id}` });
  await payOnHostedPage(chromium, tua, pages, session.url);
  assert.deepEqual(capturesOf(await waitForPaidOrder(admin, cart)), [18]);
});

test("a payer pays in the storefront's own page in a browser", async () => {
  const cart = await storefront.fillCart();
  const session = await storefront.beginPayment(cart);
  await payInStorefront(chromium, tua, pages, session.checkout_token);
  assert.deepEqual(capturesOf(await waitForPaidOrder(admin, cart)), [18]);
});

test("the token and the address of the checkout are not kept with the payment", async () => {
  const { payment } = await buy();
  assert.equal(payment.data.checkout_token, null);
  assert.equal(payment.data.url, null);
});

test("a storefront that comes back first makes the order by asking", async () => {
  await withRelay("lose", async () => {
    const cart = await storefront.fillCart();
    const session = await storefront.beginPayment(cart);
    await tua.pay(session.checkout_token);
    await tua.waitForCheckout(session.checkout_id, "PAID");
    const { type, order } = await storefront.complete(cart);
    assert.equal(type, "order");
    const [seen] = await listOrders(admin, cart);
    assert.equal(seen.id, order.id);
    assert.deepEqual([seen.payment_status, capturesOf(seen), seen.summary.paid_total], ["captured", [18], 18]);
  });
});

test("a declined payment leaves the cart payable with the same checkout", async () => {
  const cart = await storefront.fillCart();
  const session = await storefront.beginPayment(cart);
  const { body } = await tua.decline(session.checkout_token);
  await waitFor("the decline", async () => (await tua.request(`/status/${body.transactionId}`)).body.status === "FAILED");
  const { type, error } = await storefront.complete(cart);
  assert.deepEqual([type, error.type], ["cart", "payment_requires_more_error"]);
  assert.match(error.message, /not made yet/);
  await tua.pay(session.checkout_token);
  const order = await waitForPaidOrder(admin, cart);
  assert.deepEqual(capturesOf(order), [18]);
});

test("a pending payment keeps the cart waiting, unchanged, and late success makes the order", async () => {
  const cart = await storefront.fillCart();
  const session = await storefront.beginPayment(cart);
  const { approve } = await tua.payLater(session.checkout_token);
  await tua.expire(session.checkout_id);
  const { type, error } = await storefront.complete(cart);
  assert.deepEqual([type, error.type], ["cart", "payment_requires_more_error"]);
  assert.match(error.message, /not confirmed yet. Please do not pay again/);
  await assert.rejects(storefront.addItem(cart.id), /not confirmed yet, so the cart cannot change/);
  await assert.rejects(storefront.beginPayment(cart), /not confirmed yet, so .* Please do not pay again/);
  const sessions = await storefront.sessionsOf(cart);
  assert.deepEqual(
    sessions.map(({ data }) => data.checkout_id),
    [session.checkout_id],
  );
  await approve();
  const order = await waitForPaidOrder(admin, cart);
  assert.deepEqual([capturesOf(order), order.summary.paid_total], [[18], 18]);
});

test("an expired checkout is said to have moved no money, and another one can begin", async () => {
  const cart = await storefront.fillCart();
  const first = await storefront.beginPayment(cart);
  await tua.expire(first.checkout_id);
  const { type, error } = await storefront.complete(cart);
  assert.deepEqual([type, error.type], ["cart", "payment_authorization_error"]);
  assert.match(error.message, /not made in time. No money moved/);
  const second = await storefront.beginPayment(cart);
  assert.notEqual(second.checkout_id, first.checkout_id);
  await tua.pay(second.checkout_token);
  assert.deepEqual(capturesOf(await waitForPaidOrder(admin, cart)), [18]);
});

test("of two tabs, the older can no longer pay", async () => {
  const cart = await storefront.fillCart();
  const older = await storefront.beginPayment(cart);
  const newer = await storefront.beginPayment(cart);
  const refused = await tua.pay(older.checkout_token);
  assert.equal(refused.status >= 400, true, JSON.stringify(refused.body));
  await tua.pay(newer.checkout_token);
  assert.deepEqual(capturesOf(await waitForPaidOrder(admin, cart)), [18]);
});

test("of tabs that begin at the same moment, one checkout can be paid", async () => {
  const cart = await storefront.fillCart();
  const results = await Promise.allSettled([1, 2, 3].map(() => storefront.beginPayment(cart)));
  const begun = results.filter(({ status }) => status === "fulfilled").map(({ value }) => value.checkout_id);
  const statuses = await Promise.all([...new Set(begun)].map(async (id) => (await tua.request(`/checkout/${id}`)).body.status));
  assert.equal(statuses.filter((status) => status === "OPEN").length <= 1, true, statuses.join());
  const session = await storefront.beginPayment(cart);
  await tua.pay(session.checkout_token);
  assert.deepEqual(capturesOf(await waitForPaidOrder(admin, cart)), [18]);
});

test("a cart that changes before it is paid closes its checkout", async () => {
  const cart = await storefront.fillCart();
  const before = await storefront.beginPayment(cart);
  await storefront.addItem(cart.id);
  await tua.waitForCheckout(before.checkout_id, "CLOSED");
  const now = await storefront.beginPayment(cart);
  assert.equal(now.amount, "36.00");
  await tua.pay(now.checkout_token);
  assert.deepEqual(capturesOf(await waitForPaidOrder(admin, cart)), [36]);
});

test("money for goods that are sold out meanwhile is refunded, and the cart is no order", async () => {
  const [first, second] = [
    await storefront.fillCart({ variant: goods.last }),
    await storefront.fillCart({ variant: goods.last }),
  ];
  const session = await storefront.beginPayment(second);
  await tua.pay((await storefront.beginPayment(first)).checkout_token);
  await waitForPaidOrder(admin, first);
  await tua.pay(session.checkout_token);
  await tua.waitForCheckout(session.checkout_id, "PAID");
  const { transactionId } = (await tua.request(`/checkout/${session.checkout_id}`)).body.transaction;
  const made = await waitFor("the refund", async () => {
    const refunds = await tua.refundsOf(transactionId);
    return refunds.length > 0 && refunds;
  });
  assert.deepEqual(
    made.map(({ amount }) => amount),
    [18],
  );
  assert.deepEqual(await listOrders(admin, second), []);
});

test("an order that is cancelled after the payment is refunded", async () => {
  const { cart, order, payment } = await buy();
  await admin("POST", `/admin/orders/${order.id}/cancel`);
  const made = await tua.refundsOf(payment.data.transaction_id);
  assert.deepEqual(
    made.map(({ amount }) => amount),
    [18],
  );
  const [cancelled] = await listOrders(admin, cart);
  assert.equal(cancelled.status, "canceled");
});

test("half is refunded, then the rest, and no more", async () => {
  const { cart, payment } = await buy();
  const refund = (amount) => admin("POST", `/admin/payments/${payment.id}/refund`, { amount });
  await refund(9);
  assert.deepEqual(await sumsOf(payment), [[9, "SUCCESSFUL"]]);
  const [half] = await listOrders(admin, cart);
  assert.equal(half.payment_status, "partially_refunded");
  await refund(9);
  assert.deepEqual(await sumsOf(payment), [
    [9, "SUCCESSFUL"],
    [9, "SUCCESSFUL"],
  ]);
  await assert.rejects(refund(1), /refund more than/);
  const [whole] = await listOrders(admin, cart);
  assert.equal(whole.payment_status, "refunded");
});

test("the button of the admin refunds half, then the rest", async () => {
  const { cart, order, payment } = await buy();
  await onOrderPage(shop, order, async (page) => {
    for (const status of ["Partially refunded", "Refunded"]) {
      const { amount, save } = await openRefund(page);
      await amount.fill("9.00");
      await save.click();
      await waitForStatus(page, status);
    }
  });
  assert.deepEqual(await sumsOf(payment), [
    [9, "SUCCESSFUL"],
    [9, "SUCCESSFUL"],
  ]);
  const [whole] = await listOrders(admin, cart);
  assert.equal(whole.payment_status, "refunded");
});

test("the button of the admin refunds all, once", async () => {
  const { order, payment } = await buy();
  await onOrderPage(shop, order, async (page) => {
    const { amount, save } = await openRefund(page);
    assert.match(await amount.inputValue(), /^18(\.00)?$/);
    await save.dblclick();
    await waitForStatus(page, "Refunded");
  });
  assert.deepEqual(await sumsOf(payment), [[18, "SUCCESSFUL"]]);
});

test("the admin shows why a refund by its button failed, and that no money moved", async () => {
  const { cart, order } = await buy(REFUND_FAILS);
  await onOrderPage(shop, order, async (page) => {
    const { save } = await openRefund(page);
    await save.click();
    await page.getByText("The refund failed, and no money moved").waitFor();
  });
  const [unchanged] = await listOrders(admin, cart);
  assert.equal(unchanged.payment_status, "captured");
});

test("two administrators who press the button for all at the same moment return the money once", async () => {
  const { cart, order, payment } = await buy();
  const isRefunded = async () => (await listOrders(admin, cart))[0].payment_status === "refunded";
  const bothAreReady = barrier(2);
  const press = async (page) => {
    const { save } = await openRefund(page);
    await bothAreReady();
    await save.click();
    await waitFor("the refund", isRefunded);
  };
  await Promise.all([onOrderPage(shop, order, press), onOrderPage(shop, order, press)]);
  assert.deepEqual(await sumsOf(payment), [[18, "SUCCESSFUL"]]);
});

test("a refund that fails is not recorded, and says that no money moved", async () => {
  const { cart, payment } = await buy(REFUND_FAILS);
  await assert.rejects(
    admin("POST", `/admin/payments/${payment.id}/refund`, { amount: 9 }),
    /The refund failed, and no money moved/,
  );
  const [order] = await listOrders(admin, cart);
  assert.equal(order.payment_status, "captured");
  assert.deepEqual(order.payment_collections[0].payments[0].refunds, []);
});

test("a refund whose outcome is not known yet counts as made, and people are told where it fails later", async () => {
  const { cart, payment } = await buy(REFUND_STAYS_PENDING);
  await admin("POST", `/admin/payments/${payment.id}/refund`, { amount: 9 });
  const [order] = await listOrders(admin, cart);
  assert.equal(order.payment_status, "partially_refunded");
  assert.equal(order.payment_collections[0].payments[0].data.refunds[0].status, "PENDING");
  const [made] = await tua.refundsOf(payment.data.transaction_id);
  const failure = { code: "recipient_not_found", message: "The wallet does not exist.", retryable: false };
  const event = { type: "refund.failed", timestamp: made.updatedAt, data: { ...made, status: "FAILED", failure } };
  await forward(shop.webhookUrl, signDelivery(secrets[1], event));
  await waitForNotification("A refund failed that Medusa shows as made", made.transactionId);
});

test("a refund that fails late without a webhook is shown to people, also where Medusa has lost its record", async () => {
  await withRelay("lose", async () => {
    const { cart, payment } = await buyWithoutWebhook(REFUND_FAILS);
    breaker.losesResponse = (method, path) => method === "GET" && path.startsWith("/v1/refunds/");
    try {
      await admin("POST", `/admin/payments/${payment.id}/refund`, { amount: 9 });
      await admin("POST", `/admin/payments/${payment.id}/refund`, { amount: 8 });
    } finally {
      breaker.losesResponse = () => false;
    }
    const recorded = async () => {
      const [order] = await listOrders(admin, cart);
      return order.payment_collections[0].payments[0].data.refunds.map(({ amount, status }) => [amount, status]);
    };
    assert.deepEqual(await recorded(), [
      ["9.00", "PENDING"],
      ["8.00", "PENDING"],
    ]);
    await postgres.query(`
      INSERT INTO refund (id, amount, raw_amount, payment_id, created_at, updated_at)
        VALUES ('ref_stopped', 0.5, '{"value": "0.5", "precision": 20}', '${payment.id}', now(), now());
      UPDATE payment SET data = jsonb_set(data, '{refunds}', (data->'refunds') - 1) WHERE id = '${payment.id}';
      UPDATE refund SET created_at = now() - interval '3 minutes' WHERE payment_id = '${payment.id}'`);
    for (const refund of await tua.refundsOf(payment.data.transaction_id)) assert.equal(refund.status, "FAILED");
    await waitFor("the outcomes", async () => (await recorded()).every(([, status]) => status !== "PENDING"));
    assert.deepEqual((await recorded()).toSorted(), [
      ["0.50", "NOT_FOUND"],
      ["8.00", "FAILED"],
      ["9.00", "FAILED"],
    ]);
    const charge = payment.data.transaction_id;
    await waitForNotification("A refund failed that Medusa shows as made", `Refund of GHS 9.00 (charge ${charge})`);
    await waitForNotification("A refund failed that Medusa shows as made", `Refund of GHS 8.00 (charge ${charge})`);
    await waitForNotification("A refund that Medusa shows is not at Tua", "ref_stopped of GHS 0.50");
  });
});

test("a webhook that has waited in Medusa's queue for ten minutes is processed", async () => {
  const { payment } = await buy();
  const charge = (await tua.request(`/status/${payment.data.transaction_id}`)).body;
  const conflict = { observed: "FAILED", at: charge.updatedAt, decision: null };
  const event = { type: "charge.conflict", timestamp: charge.updatedAt, data: { ...charge, conflict } };
  await forward(shop.webhookUrl, signEarlier(event, 600_000));
  await waitForNotification("An operator contradicts a payment", charge.transactionId);
});

test("a refund whose response was lost is made once", async () => {
  const { payment } = await buy();
  breaker.losesResponse = (method, path) => method === "POST" && path === "/v1/refunds";
  const refund = () => admin("POST", `/admin/payments/${payment.id}/refund`, { amount: 9 });
  try {
    await assert.rejects(refund(), /not known whether the refund was begun/);
  } finally {
    breaker.losesResponse = () => false;
  }
  await assert.rejects(admin("POST", `/admin/payments/${payment.id}/refund`, { amount: 5 }), /Refund exactly this amount first/);
  await refund();
  const made = await tua.refundsOf(payment.data.transaction_id);
  assert.deepEqual(
    made.map(({ amount }) => amount),
    [9],
  );
  await refund();
  assert.equal((await tua.refundsOf(payment.data.transaction_id)).length, 2);
});

test("a webhook that comes twice pays once", async () => {
  await withRelay("twice", async () => {
    const { cart, order } = await buy();
    const paid = relay.deliveries.findLast(({ event }) => event.type === "checkout.paid");
    await waitFor("both deliveries", () => paid.statuses.length === 2);
    await forward(shop.webhookUrl, paid);
    await storefront.complete(cart);
    const orders = await listOrders(admin, cart);
    assert.deepEqual(
      orders.map(({ id }) => id),
      [order.id],
    );
    assert.deepEqual([capturesOf(orders[0]), orders[0].summary.paid_total], [[18], 18]);
  });
});

test("a webhook with another signature changes nothing", async () => {
  const cart = await storefront.fillCart();
  const session = await storefront.beginPayment(cart);
  const paid = relay.deliveries.findLast(({ event }) => event.type === "checkout.paid");
  const event = { ...paid.event, data: { ...paid.event.data, checkoutId: session.checkout_id, reference: session.session_id } };
  await forward(shop.webhookUrl, { ...paid, body: JSON.stringify(event) });
  await waitFor("the refusal", async () => (await shop.readLog()).includes("The signature does not match"));
  assert.deepEqual(await listOrders(admin, cart), []);
});

test("a cart in dollars is refused with a sentence", async () => {
  const cart = await storefront.fillCart({ region: goods.abroad, country_code: "us" });
  await assert.rejects(storefront.beginPayment(cart), /Mobile money is paid in Ghana cedis \(GHS\), and this cart is in USD/);
});

test("a page of another origin is refused as the page to return to", async () => {
  const cart = await storefront.fillCart();
  await assert.rejects(
    storefront.beginPayment(cart, { return_url: "https://evil.example/" }),
    /must be a page of http:\/\/localhost:/,
  );
});

test("a second charge that pays the same checkout is shown to people", async () => {
  const { payment } = await buy();
  const charge = (await tua.request(`/status/${payment.data.transaction_id}`)).body;
  const second = charge.transactionId.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const event = { type: "charge.successful", timestamp: charge.updatedAt, data: { ...charge, transactionId: second } };
  await forward(shop.webhookUrl, signDelivery(secrets[1], event));
  await waitForNotification("A cart was paid twice", second);
});

test("money for a session that is gone is shown to people", async () => {
  const reference = "payses_gone";
  const body = { amount: 18, email: "ama@example.com", reference, metadata: { medusaSession: reference } };
  const opened = await tua.request("/checkout", { method: "POST", body });
  await tua.pay(opened.body.checkoutToken);
  await waitForNotification("A payment without a cart", opened.body.checkoutId);
});

/** Pays a cart that Medusa cannot make an order, and waits until people are told. */
async function payCartWithoutLines() {
  const cart = await storefront.fillCart();
  const { session_id: session, checkout_id: checkout, checkout_token: token } = await storefront.beginPayment(cart);
  // Medusa refuses a cart without lines before the step that would refund its payment.
  await postgres.query(`UPDATE cart_line_item SET deleted_at = now() WHERE cart_id = '${cart.id}'`);
  await tua.pay(token);
  const read = (column) => postgres.query(`SELECT ${column} FROM payment_session WHERE id = '${session}'`);
  await waitFor("the capture", async () => (await read("status")) === "authorized");
  await postgres.query(`UPDATE payment_session SET authorized_at = now() - interval '11 minutes' WHERE id = '${session}'`);
  await waitForNotification("A paid cart is no order", cart.id);
  await waitFor("the mark", async () => (await read("metadata->>'tua_reported_at'")) !== "");
  assert.equal(await read("status"), "authorized");
  return { cart, checkout };
}

test("a paid cart that cannot become an order is shown to people, once", async () => {
  const { cart, checkout } = await payCartWithoutLines();
  const { transactionId } = (await tua.request(`/checkout/${checkout}`)).body.transaction;
  assert.deepEqual(await tua.refundsOf(transactionId), []);
  assert.deepEqual(await listOrders(admin, cart), []);
  // The run of the job that reports another cart reads this one again.
  await payCartWithoutLines();
  const lines = (await shop.readLog()).split("\n").filter((line) => line.includes("Tua: A paid cart is no order"));
  assert.equal(lines.filter((line) => line.includes(cart.id)).length, 1, lines.join("\n"));
});

test("a lost webhook, and a shop that is killed after the payment, still make the orders", async () => {
  await withRelay("lose", async () => {
    const lost = await storefront.fillCart();
    const lostSession = await storefront.beginPayment(lost);
    await tua.pay(lostSession.checkout_token);
    const killed = await storefront.fillCart();
    const killedSession = await storefront.beginPayment(killed);
    const { approve } = await tua.payLater(killedSession.checkout_token);
    await shop.kill();
    await approve();
    await tua.waitForCheckout(killedSession.checkout_id, "PAID");
    await shop.start();
    for (const cart of [lost, killed]) {
      const order = await waitForPaidOrder(admin, cart);
      assert.deepEqual([capturesOf(order), order.summary.paid_total], [[18], 18]);
      assert.equal((await listOrders(admin, cart)).length, 1);
    }
  });
});

test("carts that began with the test key are not stuck after the shop went live", async () => {
  const cart = await storefront.fillCart();
  const waiting = await storefront.fillCart();
  const { session_id: session } = await storefront.beginPayment(cart);
  await storefront.beginPayment(waiting);
  const live = await tua.goLive();
  secrets.push(live);
  await restartWith(live);
  // The job may have ended it since the start.
  await postgres.query(`UPDATE payment_session SET status = 'pending' WHERE id = '${session}'`);
  const { type, error } = await storefront.complete(cart);
  assert.deepEqual([type, error.type], ["cart", "payment_authorization_error"]);
  assert.match(error.message, /began in test mode, so no money moved/);
  await storefront.addItem(cart.id);
  await waitFor("the job", async () => (await storefront.sessionsOf(waiting))[0].status === "canceled");
  await restartWith(tua.secretKey);
  const now = await storefront.beginPayment(cart);
  assert.equal(now.amount, "36.00");
  // The simulated phone has ended, so this number pays by itself.
  await tua.payLater(now.checkout_token, "0241001234");
  assert.deepEqual(capturesOf(await waitForPaidOrder(admin, cart)), [36]);
});

test("a live checkout that a test key does not find may still be paid, so its cart does not change", async () => {
  const cart = await storefront.fillCart();
  const { session_id: session, checkout_id: id } = await storefront.beginPayment(cart);
  const unknown = id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const data = JSON.stringify({ mode: "live", checkout_id: unknown });
  await postgres.query(`UPDATE payment_session SET data = data || '${data}' WHERE id = '${session}'`);
  await assert.rejects(storefront.addItem(cart.id), /Tua refused: not_found/);
});

test("no log has a secret or a phone number", async () => {
  const log = await shop.readLog();
  for (const secret of secrets) assert.equal(log.includes(secret), false);
  assert.doesNotMatch(log, /tua_checkout_[A-Za-z0-9]/);
  // Alone: the ids of requests are hexadecimal, and one of a few thousand has ten such digits.
  assert.doesNotMatch(log, /(?<![0-9a-z])(02\d{8}|233\d{9})(?![0-9a-z])/i);
});
