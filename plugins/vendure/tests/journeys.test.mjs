import { signDelivery } from "@tua-pay/node/testing";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { payInStorefront, payOnHostedPage, startPages } from "../../support/browser.mjs";
import { startBreaker } from "../../support/breaker.mjs";
import { startPostgres } from "../../support/postgres.mjs";
import { barrier, waitFor } from "../../support/processes.mjs";
import { startTua } from "../../support/tua.mjs";
import { forward, startRelay } from "../../support/webhooks.mjs";
import { onOrderPage, openRefund, settleRefundByHand, waitForNotification } from "./admin-ui.mjs";
import { createStorefront, notesOf, paymentsOf, readOrder, waitForState } from "./storefront.mjs";
import { createShop, fillShop, signIn } from "./vendure.mjs";

const REFUND_FAILS = "0240000021";
const REFUND_STAYS_PENDING = "0240000022";

const ended = [];
let tua, breaker, relay, pages, shop, fields, goods, admin, storefront, webhookUrl, secrets;

before(async () => {
  tua = await startTua();
  ended.push(tua.stop);
  breaker = await startBreaker(tua.origin);
  relay = await startRelay(() => webhookUrl);
  pages = await startPages(tua.origin);
  ended.push(breaker.stop, relay.stop, pages.stop);
  const webhookSecret = await tua.addWebhook(relay.url);
  secrets = [tua.secretKey, webhookSecret];
  shop = await createShop(await startDatabase());
  ended.push(shop.stop);
  await shop.start();
  admin = await signIn(shop.origin);
  fields = {
    secretKey: tua.secretKey,
    baseUrl: `${breaker.origin}/v1`,
    webhookSecret,
    returnUrl: pages.returnUrl,
  };
  goods = await fillShop(admin, fields);
  webhookUrl = `${shop.origin}/payments/tua/${goods.channelToken}/mobile-money`;
  storefront = createStorefront(shop.origin, goods);
});

after(async () => {
  for (const end of ended.reverse()) await end();
});

/** The tests run once on each: row locks and simultaneous transactions are PostgreSQL's alone. */
async function startDatabase() {
  if (process.env.SHOP_DATABASE !== "postgres") return { type: "better-sqlite3", database: "shop.sqlite" };
  const postgres = await startPostgres();
  ended.push(postgres.stop);
  return { type: "postgres", url: postgres.url };
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
  const shopper = await storefront.arrangePayment();
  const begun = await shopper.beginPayment();
  await tua.pay(begun.checkoutToken, phoneNumber);
  const order = await waitForState(admin, shopper.code, "PaymentSettled");
  return { shopper, begun, order, payment: order.payments.find(({ state }) => state === "Settled") };
}

/** Gives the payment method another secret key, as its form in the Admin UI does. */
async function setSecretKey(secretKey) {
  const args = Object.entries({ ...fields, secretKey }).map(([name, value]) => ({ name, value }));
  const input = { id: goods.mobileMoney, handler: { code: "tua", arguments: args } };
  await admin(`mutation($input: UpdatePaymentMethodInput!) { updatePaymentMethod(input: $input) { id } }`, { input });
}

async function refund({ id }, amount) {
  const input = { paymentId: id, amount, reason: "Sold out", lines: [], shipping: 0, adjustment: 0 };
  const { refundOrder } = await admin(
    `mutation($input: RefundOrderInput!) { refundOrder(input: $input) { __typename ... on Refund { id state total metadata } ... on ErrorResult { errorCode message } } }`,
    { input },
  );
  return refundOrder;
}

const refundsOf = async (code) =>
  (await readOrder(admin, code)).payments.flatMap(({ refunds }) => refunds).map(({ state, total }) => [state, total]);
/** What Tua has returned of a payment: sum and status of each refund. */
const sumsOf = async (begun) =>
  (await tua.refundsOf(await chargeOf(begun))).map(({ amount, status }) => [amount, status]);
const chargeOf = async ({ checkoutId }) => (await tua.request(`/checkout/${checkoutId}`)).body.transaction.transactionId;

test("a webhook marks the order as paid once", async () => {
  const { begun, order } = await buy();
  assert.deepEqual([begun.amount, begun.mode, begun.pending], ["18.00", "test", 1]);
  assert.match(begun.url, /^http.*key=tua_checkout_/);
  assert.deepEqual(paymentsOf(order), [["Settled", 1800]]);
  assert.deepEqual(notesOf(order), []);
});

test("a payer pays on the hosted page in a browser, and comes back", async () => {
  const shopper = await storefront.arrangePayment();
  const begun = await shopper.beginPayment({ returnUrl: `${pages.returnUrl}?order=${shopper.code}` });
  await payOnHostedPage(chromium, tua, pages, begun.url);
  assert.deepEqual(paymentsOf(await waitForState(admin, shopper.code, "PaymentSettled")), [["Settled", 1800]]);
});

test("a payer pays in the storefront's own page in a browser", async () => {
  const shopper = await storefront.arrangePayment();
  const begun = await shopper.beginPayment();
  await payInStorefront(chromium, tua, pages, begun.checkoutToken);
  assert.deepEqual(paymentsOf(await waitForState(admin, shopper.code, "PaymentSettled")), [["Settled", 1800]]);
});

test("the token and the address of the checkout are not kept with a settled payment", async () => {
  const { payment } = await buy();
  assert.deepEqual([payment.metadata.public.checkoutToken, payment.metadata.public.url], [null, null]);
});

test("a declined payment leaves the order payable with the same checkout", async () => {
  const shopper = await storefront.arrangePayment();
  const begun = await shopper.beginPayment();
  const { body } = await tua.decline(begun.checkoutToken);
  await waitFor("the decline", async () => (await tua.request(`/status/${body.transactionId}`)).body.status === "FAILED");
  assert.equal((await readOrder(admin, shopper.code)).state, "ArrangingPayment");
  await tua.pay(begun.checkoutToken);
  assert.deepEqual(paymentsOf(await waitForState(admin, shopper.code, "PaymentSettled")), [["Settled", 1800]]);
});

test("a pending payment keeps the order waiting, unchanged and not cancelled, and late success pays it", async () => {
  const shopper = await storefront.arrangePayment();
  const begun = await shopper.beginPayment();
  const { approve } = await tua.payLater(begun.checkoutToken);
  await tua.expire(begun.checkoutId);
  assert.match((await shopper.transition("AddingItems")).transitionError, /not confirmed yet. Please do not pay again/);
  await assert.rejects(shopper.beginPayment(), /not confirmed yet. Please do not pay again/);
  const { id } = await readOrder(admin, shopper.code);
  const { transitionOrderToState: cancelled } = await admin(
    `mutation($id: ID!) { transitionOrderToState(id: $id, state: "Cancelled") { ... on OrderStateTransitionError { transitionError } } }`,
    { id },
  );
  assert.match(cancelled.transitionError, /not confirmed yet/);
  assert.equal((await readOrder(admin, shopper.code)).state, "ArrangingPayment");
  await approve();
  const order = await waitForState(admin, shopper.code, "PaymentSettled");
  assert.deepEqual(
    paymentsOf(order).filter(([state]) => state !== "Declined"),
    [["Settled", 1800]],
  );
});

test("an expired checkout is cancelled, and another one can begin", async () => {
  const shopper = await storefront.arrangePayment();
  const first = await shopper.beginPayment();
  await tua.expire(first.checkoutId);
  const second = await shopper.beginPayment();
  assert.notEqual(second.checkoutId, first.checkoutId);
  await tua.pay(second.checkoutToken);
  assert.deepEqual(paymentsOf(await waitForState(admin, shopper.code, "PaymentSettled")), [
    ["Cancelled", 0],
    ["Settled", 1800],
  ]);
});

test("of two tabs, the older can no longer pay", async () => {
  const shopper = await storefront.arrangePayment();
  const older = await shopper.beginPayment();
  const newer = await shopper.beginPayment();
  const refused = await tua.pay(older.checkoutToken);
  assert.equal(refused.status >= 400, true, JSON.stringify(refused.body));
  await tua.pay(newer.checkoutToken);
  assert.deepEqual(paymentsOf(await waitForState(admin, shopper.code, "PaymentSettled")), [
    ["Cancelled", 0],
    ["Settled", 1800],
  ]);
});

test("of tabs that begin at the same moment, one checkout can be paid", async () => {
  const shopper = await storefront.arrangePayment();
  const results = await Promise.allSettled([1, 2, 3].map(() => shopper.beginPayment()));
  const begun = [...new Set(results.filter(({ status }) => status === "fulfilled").map(({ value }) => value.checkoutId))];
  const statuses = await Promise.all(begun.map(async (id) => (await tua.request(`/checkout/${id}`)).body.status));
  assert.equal(statuses.filter((status) => status === "OPEN").length <= 1, true, statuses.join());
  const last = await shopper.beginPayment();
  await tua.pay(last.checkoutToken);
  const order = await waitForState(admin, shopper.code, "PaymentSettled");
  assert.deepEqual(
    paymentsOf(order).filter(([, amount]) => amount > 0),
    [["Settled", 1800]],
  );
});

test("an order that changes before it is paid closes its checkout", async () => {
  const shopper = await storefront.arrangePayment();
  const before = await shopper.beginPayment();
  assert.equal((await shopper.transition("AddingItems")).state, "AddingItems");
  await tua.waitForCheckout(before.checkoutId, "CLOSED");
  await shopper.addItem();
  await shopper.transition("ArrangingPayment");
  const now = await shopper.beginPayment();
  assert.equal(now.amount, "36.00");
  await tua.pay(now.checkoutToken);
  assert.deepEqual(paymentsOf(await waitForState(admin, shopper.code, "PaymentSettled")), [
    ["Cancelled", 0],
    ["Settled", 3600],
  ]);
});

test("another payment method pays the whole order, and the checkout is closed", async () => {
  const shopper = await storefront.arrangePayment();
  const begun = await shopper.beginPayment();
  const order = await shopper.pay("card", {});
  assert.equal(order.state, "PaymentSettled");
  await tua.waitForCheckout(begun.checkoutId, "CLOSED");
  assert.deepEqual(paymentsOf(await readOrder(admin, shopper.code)), [
    ["Cancelled", 0],
    ["Settled", 1800],
  ]);
});

test("mobile money that arrives after another method has paid is recorded, and people are told", async () => {
  const shopper = await storefront.arrangePayment();
  const begun = await shopper.beginPayment();
  const { approve } = await tua.payLater(begun.checkoutToken);
  assert.equal((await shopper.pay("card", {})).state, "PaymentSettled");
  await approve();
  const order = await waitFor("the second payment", async () => {
    const seen = await readOrder(admin, shopper.code);
    return paymentsOf(seen).every(([state]) => state === "Settled") && seen;
  });
  assert.deepEqual(paymentsOf(order), [
    ["Settled", 1800],
    ["Settled", 1800],
  ]);
  assert.equal(
    notesOf(order).some((note) => note.includes("Refund one of its payments")),
    true,
    notesOf(order).join(),
  );
});

test("mobile money that arrives after the other payment was refunded is not said to be too much", async () => {
  const shopper = await storefront.arrangePayment();
  const begun = await shopper.beginPayment();
  const { approve } = await tua.payLater(begun.checkoutToken);
  await shopper.pay("card", {});
  const card = (await readOrder(admin, shopper.code)).payments.find(({ method }) => method === "card");
  const { id } = await refund(card, 1800);
  await admin(`mutation($input: SettleRefundInput!) { settleRefund(input: $input) { ... on Refund { id } } }`, {
    input: { id, transactionId: "returned-by-hand" },
  });
  await approve();
  const order = await waitFor("the payment", async () => {
    const seen = await readOrder(admin, shopper.code);
    return paymentsOf(seen).every(([state]) => state === "Settled") && seen;
  });
  assert.deepEqual(
    notesOf(order).filter((note) => note.includes("Refund one of its payments")),
    [],
  );
});

test("half is refunded, then the rest, and no more", async () => {
  const { begun, shopper, payment } = await buy();
  await refund(payment, 900);
  await waitFor("the first refund", async () => (await refundsOf(shopper.code)).every(([state]) => state === "Settled"));
  await refund(payment, 900);
  await waitFor("the second refund", async () => (await refundsOf(shopper.code)).every(([state]) => state === "Settled"));
  assert.deepEqual(await refundsOf(shopper.code), [
    ["Settled", 900],
    ["Settled", 900],
  ]);
  const made = await tua.refundsOf(await chargeOf(begun));
  assert.deepEqual(
    made.map(({ amount, status }) => [amount, status]),
    [
      [9, "SUCCESSFUL"],
      [9, "SUCCESSFUL"],
    ],
  );
  assert.equal((await refund(payment, 1)).__typename, "RefundAmountError");
});

test("the button of the Admin UI refunds half, then the rest", async () => {
  const { begun, shopper, order } = await buy();
  await onOrderPage(shop, order, async (page) => {
    for (let half = 1; half <= 2; half += 1) {
      const { setSum, button } = await openRefund(page);
      await setSum("9");
      await button.click();
      await page.locator("vdr-order-payment-card").getByText("Refund #").nth(half - 1).waitFor();
    }
  });
  assert.deepEqual(await refundsOf(shopper.code), [
    ["Settled", 900],
    ["Settled", 900],
  ]);
  assert.deepEqual(await sumsOf(begun), [
    [9, "SUCCESSFUL"],
    [9, "SUCCESSFUL"],
  ]);
});

test("the button of the Admin UI refunds all once, and returns the goods to stock", async () => {
  const { begun, shopper, order } = await buy();
  await onOrderPage(shop, order, async (page) => {
    const { setPieces, button } = await openRefund(page);
    await setPieces("1");
    await button.dblclick();
    await waitForNotification(page, "Successfully refunded order");
  });
  assert.equal((await readOrder(admin, shopper.code)).state, "Cancelled");
  assert.deepEqual(await refundsOf(shopper.code), [["Settled", 1800]]);
  assert.deepEqual(await sumsOf(begun), [[18, "SUCCESSFUL"]]);
});

test("the Admin UI shows that a refund by its button failed", async () => {
  const { shopper, order } = await buy(REFUND_FAILS);
  await onOrderPage(shop, order, async (page) => {
    const { setSum, button } = await openRefund(page);
    await setSum("9");
    await button.click();
    await waitForNotification(page, "Refund failed");
  });
  assert.deepEqual(await refundsOf(shopper.code), [["Failed", 900]]);
});

test("two administrators who press the button for all at the same moment return the money once", async () => {
  const { begun, shopper, order } = await buy();
  const bothAreReady = barrier(2);
  const press = async (page) => {
    const { setSum, button } = await openRefund(page);
    await setSum("18");
    await bothAreReady();
    await button.click();
    await waitFor("the refund", async () => (await refundsOf(shopper.code)).some(([state]) => state === "Settled"));
  };
  await Promise.all([onOrderPage(shop, order, press), onOrderPage(shop, order, press)]);
  const returned = (await sumsOf(begun)).filter(([, status]) => status === "SUCCESSFUL");
  assert.deepEqual(returned, [[18, "SUCCESSFUL"]]);
});

test("two refunds at the same moment return the money twice", async () => {
  const { begun, shopper, payment } = await buy();
  await Promise.all([refund(payment, 600), refund(payment, 600)]);
  await waitFor("both refunds", async () => (await refundsOf(shopper.code)).every(([state]) => state === "Settled"));
  assert.deepEqual(await refundsOf(shopper.code), [
    ["Settled", 600],
    ["Settled", 600],
  ]);
  const made = await tua.refundsOf(await chargeOf(begun));
  assert.deepEqual(
    made.map(({ amount, status }) => [amount, status]),
    [
      [6, "SUCCESSFUL"],
      [6, "SUCCESSFUL"],
    ],
  );
});

test("a refund that fails is recorded as failed, and its amount can be refunded again", async () => {
  const { shopper, payment } = await buy(REFUND_FAILS);
  await refund(payment, 900);
  await waitFor("the failure", async () => (await refundsOf(shopper.code)).some(([state]) => state === "Failed"));
  await refund(payment, 1800);
  assert.equal((await refundsOf(shopper.code)).length, 2);
});

test("a refund whose outcome is not known yet is pending, and fails later with a note", async () => {
  const { begun, shopper, payment } = await buy(REFUND_STAYS_PENDING);
  assert.equal((await refund(payment, 900)).state, "Pending");
  const [made] = await tua.refundsOf(await chargeOf(begun));
  const failure = { code: "recipient_not_found", message: "The wallet does not exist.", retryable: false };
  const event = { type: "refund.failed", timestamp: made.updatedAt, data: { ...made, status: "FAILED", failure } };
  assert.equal(await forward(webhookUrl, signDelivery(secrets[1], event)), 204);
  assert.deepEqual(await refundsOf(shopper.code), [["Failed", 900]]);
  assert.match(notesOf(await readOrder(admin, shopper.code)).join(), /failed, and no money moved: The wallet does not exist/);
});

test("the button that settles a refund by hand refuses one that Tua has not confirmed", async () => {
  const { shopper, order, payment } = await buy(REFUND_STAYS_PENDING);
  assert.equal((await refund(payment, 900)).state, "Pending");
  await onOrderPage(shop, order, async (page) => {
    await settleRefundByHand(page, "returned-by-hand");
    await waitForNotification(page, "Tua has not confirmed this refund");
  });
  assert.deepEqual(await refundsOf(shopper.code), [["Pending", 900]]);
});

test("an operator that contradicts a payment leaves a note", async () => {
  const { begun, shopper } = await buy();
  const charge = (await tua.request(`/status/${await chargeOf(begun)}`)).body;
  const conflict = { observed: "FAILED", at: charge.updatedAt, decision: null };
  const event = { type: "charge.conflict", timestamp: charge.updatedAt, data: { ...charge, conflict } };
  // The same event may come again.
  for (const id of ["msg_1", "msg_2"]) assert.equal(await forward(webhookUrl, signDelivery(secrets[1], event, id)), 204);
  const notes = notesOf(await readOrder(admin, shopper.code));
  assert.equal(notes.length, 1, notes.join());
  assert.match(notes[0], /The operator contradicts the outcome of charge/);
});

test("a second charge that pays the same checkout leaves a note", async () => {
  const { begun, shopper } = await buy();
  const charge = (await tua.request(`/status/${await chargeOf(begun)}`)).body;
  const second = charge.transactionId.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const event = { type: "charge.successful", timestamp: charge.updatedAt, data: { ...charge, transactionId: second } };
  assert.equal(await forward(webhookUrl, signDelivery(secrets[1], event)), 204);
  assert.match(notesOf(await readOrder(admin, shopper.code)).join(), new RegExp(`charge ${second} arrived too`));
});

test("a payment of another program of the account is not this shop's", async () => {
  const body = { amount: 18, email: "ama@example.com", reference: "order-17", metadata: { order: 17 } };
  const opened = await tua.request("/checkout", { method: "POST", body });
  await tua.pay(opened.body.checkoutToken);
  const isPaid = ({ event }) => event.type === "checkout.paid" && event.data.checkoutId === opened.body.checkoutId;
  const { statuses } = await waitFor("the webhook", () => relay.deliveries.find((sent) => isPaid(sent) && sent.statuses.length > 0));
  assert.deepEqual(statuses, [204]);
  assert.equal((await shop.readLog()).includes("order-17"), false);
});

test("a refund whose response was lost is made once", async () => {
  const { begun, shopper, payment } = await buy();
  breaker.losesResponse = (method, path) => method === "POST" && path === "/v1/refunds";
  try {
    assert.equal((await refund(payment, 900)).state, "Pending");
  } finally {
    breaker.losesResponse = () => false;
  }
  await waitFor("the scheduled task", async () => (await refundsOf(shopper.code)).every(([state]) => state === "Settled"));
  const made = await tua.refundsOf(await chargeOf(begun));
  assert.deepEqual(
    made.map(({ amount }) => amount),
    [9],
  );
});

test("a webhook that comes twice pays once", async () => {
  await withRelay("twice", async () => {
    const { order, shopper } = await buy();
    const paid = relay.deliveries.findLast(({ event }) => event.type === "checkout.paid");
    await waitFor("both deliveries", () => paid.statuses.length === 2);
    assert.deepEqual(paid.statuses, [204, 204]);
    assert.equal(await forward(webhookUrl, paid), 204);
    assert.deepEqual(paymentsOf(await readOrder(admin, shopper.code)), paymentsOf(order));
    assert.deepEqual(notesOf(await readOrder(admin, shopper.code)), []);
  });
});

test("a webhook with another signature is refused and changes nothing", async () => {
  const shopper = await storefront.arrangePayment();
  const begun = await shopper.beginPayment();
  const paid = relay.deliveries.findLast(({ event }) => event.type === "checkout.paid");
  const event = { ...paid.event, data: { ...paid.event.data, checkoutId: begun.checkoutId } };
  assert.equal(await forward(webhookUrl, { ...paid, body: JSON.stringify(event) }), 400);
  assert.equal((await readOrder(admin, shopper.code)).state, "ArrangingPayment");
});

test("a webhook for an unknown method is 404", async () => {
  const paid = relay.deliveries.findLast(({ event }) => event.type === "checkout.paid");
  assert.equal(await forward(webhookUrl.replace("mobile-money", "card"), paid), 404);
});

test("an order in dollars is refused with a sentence", async () => {
  const shopper = await storefront.arrangePayment("USD");
  await assert.rejects(shopper.beginPayment(), /Mobile money is paid in Ghana cedis \(GHS\), and this order is in USD/);
});

test("a wrong secret key is named in the log, and the payer reads that no money moved", async () => {
  const shopper = await storefront.arrangePayment();
  const refused = await shopper.pay("wrong-key", {});
  assert.match(refused.paymentErrorMessage, /could not begin. No money moved/);
  await waitFor("the log", async () => (await shop.readLog()).includes("secretKey is not a secret key of Tua"));
});

test("a page of another origin is refused as the page to return to", async () => {
  const shopper = await storefront.arrangePayment();
  await assert.rejects(shopper.beginPayment({ returnUrl: "https://evil.example/" }), /must be a page of the origin/);
});

test("a lost webhook, and a shop that is killed after the payment, still pay the orders", async () => {
  await withRelay("lose", async () => {
    const lost = await storefront.arrangePayment();
    await tua.pay((await lost.beginPayment()).checkoutToken);
    const killed = await storefront.arrangePayment();
    const begun = await killed.beginPayment();
    const { approve } = await tua.payLater(begun.checkoutToken);
    await shop.kill();
    await approve();
    await tua.waitForCheckout(begun.checkoutId, "PAID");
    await shop.start();
    for (const { code } of [lost, killed]) {
      const order = await waitForState(admin, code, "PaymentSettled");
      assert.deepEqual(paymentsOf(order), [["Settled", 1800]]);
    }
  });
});

test("orders that began with the test key are not stuck after the shop went live", async () => {
  const shopper = await storefront.arrangePayment();
  await shopper.beginPayment();
  const waiting = await storefront.arrangePayment();
  await waiting.beginPayment();
  const { shopper: buyer, payment } = await buy(REFUND_STAYS_PENDING);
  assert.equal((await refund(payment, 900)).state, "Pending");
  const live = await tua.goLive();
  secrets.push(live);
  await setSecretKey(live);
  assert.equal((await shopper.transition("AddingItems")).state, "AddingItems");
  await waitFor("the scheduled task", async () => paymentsOf(await readOrder(admin, waiting.code))[0][0] === "Cancelled");
  await waitFor("the refund", async () => (await refundsOf(buyer.code))[0][0] === "Failed");
  await setSecretKey(tua.secretKey);
  await shopper.addItem();
  await shopper.transition("ArrangingPayment");
  const now = await shopper.beginPayment();
  // The simulated phone has ended, so this number pays by itself.
  await tua.payLater(now.checkoutToken, "0241001234");
  assert.deepEqual(paymentsOf(await waitForState(admin, shopper.code, "PaymentSettled")), [
    ["Cancelled", 0],
    ["Settled", 3600],
  ]);
});

test("no log has a secret or a phone number", async () => {
  const log = await shop.readLog();
  for (const secret of secrets) assert.equal(log.includes(secret), false);
  assert.doesNotMatch(log, /tua_checkout_[A-Za-z0-9]/);
  assert.doesNotMatch(log, /\b(024\d{7}|23324\d{7})\b/);
});
