import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { startBreaker } from "../../support/breaker.mjs";
import { payOnHostedPage } from "../../support/hosted-page.mjs";
import { startPostgres } from "../../support/postgres.mjs";
import { waitFor } from "../../support/processes.mjs";
import { startTua } from "../../support/tua.mjs";
import { forward, startRelay } from "../../support/webhooks.mjs";
import { createShop } from "./oscar.mjs";
import { createStorefront, IN_DOLLARS, signIn } from "./storefront.mjs";

const REFUND_FAILS = "0240000021";
const REFUND_STAYS_PENDING = "0240000022";
const WAITING = "Waiting for payment";
const PAID = "Being processed";

const ended = [];
let tua, breaker, relay, shop, browser, storefront, staff, webhookUrl, secrets;

before(async () => {
  tua = await startTua();
  ended.push(tua.stop);
  breaker = await startBreaker(tua.origin);
  relay = await startRelay(() => webhookUrl);
  ended.push(breaker.stop, relay.stop);
  const webhookSecret = await tua.addWebhook(relay.url);
  secrets = [tua.secretKey, webhookSecret];
  const keys = { TUA_SECRET_KEY: tua.secretKey, TUA_BASE_URL: `${breaker.origin}/v1`, TUA_WEBHOOK_SECRET: webhookSecret };
  shop = await createShop({ ...keys, ...(await startDatabase()) });
  ended.push(shop.stop);
  await shop.start();
  webhookUrl = `${shop.origin}/tua/webhook`;
  const program = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
  ended.push(() => browser.close());
  storefront = createStorefront(browser, shop, tua);
  staff = await signIn(browser, shop);
});

after(async () => {
  for (const end of ended.reverse()) await end();
});

/** The tests run once on each: row locks and simultaneous transactions are PostgreSQL's alone. */
async function startDatabase() {
  if (process.env.SHOP_DATABASE !== "postgres") return {};
  const postgres = await startPostgres();
  ended.push(postgres.stop);
  return { SHOP_POSTGRES_PORT: new URL(postgres.url).port };
}

/** Losing webhooks, or sending them twice, ends with the test that wants it. */
async function withRelay(mode, walk) {
  relay.mode = mode;
  try {
    await walk();
  } finally {
    relay.mode = "pass";
  }
}

/** The responses to these requests are lost, after Tua has executed them. */
async function withLostResponses(method, path, walk) {
  breaker.losesResponse = (sent, to) => sent === method && to === path;
  try {
    await walk();
  } finally {
    breaker.losesResponse = () => false;
  }
}

/** A guest has paid, and the order is marked as paid. */
async function buy(phoneNumber) {
  const guest = await storefront.beginPayment();
  await tua.pay(guest.token, phoneNumber);
  return { ...guest, order: await guest.waitForStatus(PAID) };
}

const message = (page) => page.locator("[role=status]").innerText();
const chargeOf = async ({ checkoutId }) => (await tua.request(`/checkout/${checkoutId}`)).body.transaction.transactionId;
const statusOf = async ({ checkoutId }) => (await tua.request(`/checkout/${checkoutId}`)).body.status;
const madeRefunds = async (guest) => (await tua.refundsOf(await chargeOf(guest))).map(({ amount, status }) => [amount, status]);

/** The payer's page of the shop, in the browser of the guest. */
async function openStatus(guest) {
  await guest.page.goto(await storefront.statusUrl(guest));
  return message(guest.page);
}

const payAgain = async ({ page }) => {
  await page.getByRole("button", { name: "Pay with mobile money" }).click();
  await page.waitForURL((url) => url.origin === tua.origin);
  return storefront.tokenOf(page.url());
};

test("the settings of the test shop have no fault", async () => {
  assert.match(await shop.check(), /no issues/);
});

test("a guest buys in a browser: hosted page, back in the shop, order paid once, one e-mail", async () => {
  const { page, email, waitForStatus } = await storefront.beginPayment();
  await payOnHostedPage(page, tua);
  await page.locator(`a[href^="${shop.origin}/tua/orders/"]`).click();
  await page.waitForURL(`${shop.origin}/checkout/thank-you/`);
  const order = await waitForStatus(PAID);
  assert.deepEqual(order.sources, [["18.00", "0.00"]]);
  assert.deepEqual(order.events, [["paid", "18.00"]]);
  assert.deepEqual(order.errors, []);
  const mails = (await shop.mails()).filter((mail) => mail.includes(email));
  assert.equal(mails.length, 1);
  assert.match(mails[0], new RegExp(order.number));
});

test("a webhook alone pays the order of a payer who closed the browser", async () => {
  const guest = await storefront.beginPayment();
  await guest.page.close();
  await tua.pay(guest.token);
  assert.deepEqual((await guest.waitForStatus(PAID)).sources, [["18.00", "0.00"]]);
});

test("before the payment, the order waits without an e-mail, and the thank-you page does not thank", async () => {
  const guest = await storefront.beginPayment();
  const { status, sources } = await guest.read();
  assert.deepEqual([status, sources], [WAITING, []]);
  assert.deepEqual((await shop.mails()).filter((mail) => mail.includes(guest.email)), []);
  await guest.page.goto(`${shop.origin}/checkout/thank-you/`);
  assert.match(await message(guest.page), /The order is not paid yet/);
});

test("a declined payment leaves the order payable with the same checkout", async () => {
  const guest = await storefront.beginPayment();
  const { body } = await tua.decline(guest.token);
  await waitFor("the decline", async () => (await tua.request(`/status/${body.transactionId}`)).body.status === "FAILED");
  assert.match(await openStatus(guest), /The order is not paid yet/);
  assert.equal(await payAgain(guest), guest.token);
  await tua.pay(guest.token);
  assert.deepEqual((await guest.waitForStatus(PAID)).sources, [["18.00", "0.00"]]);
});

test("a pending payment keeps the order waiting, and late success pays it", async () => {
  const guest = await storefront.beginPayment();
  const { approve } = await tua.payLater(guest.token);
  await tua.expire(guest.checkoutId);
  assert.match(await openStatus(guest), /not confirmed yet. Please do not pay again/);
  assert.equal(await guest.page.getByRole("button", { name: "Pay with mobile money" }).count(), 0);
  assert.match(await staff.setStatus(guest.number, "Cancelled"), /not confirmed yet. Please do not pay again/);
  await shop.age(guest.number);
  await shop.reconcile();
  assert.equal((await guest.read()).status, WAITING);
  await approve();
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual([order.sources, order.errors], [[["18.00", "0.00"]], []]);
});

test("two tabs get one checkout, which is paid once", async () => {
  const guest = await storefront.beginPayment();
  const second = await guest.page.context().newPage();
  await second.goto(await storefront.statusUrl(guest));
  assert.equal(await payAgain({ page: second }), guest.token);
  const { approve } = await tua.payLater(guest.token);
  const refused = await tua.payLater(guest.token);
  assert.equal(refused.status >= 400, true, JSON.stringify(refused.body));
  await approve();
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual([order.sources, order.payments.length], [[["18.00", "0.00"]], 1]);
});

test("tabs that begin at the same moment get one checkout", async () => {
  const guest = await storefront.beginPayment();
  await tua.expire(guest.checkoutId);
  const url = `${await storefront.statusUrl(guest)}pay/`;
  const begun = await Promise.all([1, 2, 3].map(() => fetch(url, { redirect: "manual" })));
  const tokens = new Set(begun.map((response) => storefront.tokenOf(response.headers.get("location"))));
  assert.equal(tokens.size, 1);
  assert.deepEqual(
    (await guest.read()).payments.map(({ state }) => state),
    ["OVER", "OPEN"],
  );
});

test("after an expired checkout, another one pays the order", async () => {
  const guest = await storefront.beginPayment();
  await tua.expire(guest.checkoutId);
  assert.match(await openStatus(guest), /not paid in time. No money moved/);
  const token = await payAgain(guest);
  assert.notEqual(token, guest.token);
  await tua.pay(token);
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual(
    order.payments.map(({ state }) => state),
    ["OVER", "PAID"],
  );
});

test("a payment that cannot begin moves no money, and begins later", async () => {
  const guest = await storefront.arrange();
  await withLostResponses("POST", "/v1/checkout", async () => {
    await guest.placeOrder();
    await guest.page.getByRole("button", { name: "Pay with mobile money" }).waitFor();
    assert.match(await message(guest.page), /could not begin. No money moved/);
  });
  const token = await payAgain(guest);
  const { waitForStatus, checkoutId, number } = await storefront.shopperOf(guest);
  const { body } = await tua.request(`/checkouts?reference=${number}`);
  assert.deepEqual(
    body.data.map((checkout) => checkout.checkoutId),
    [checkoutId],
  );
  await tua.pay(token);
  await waitForStatus(PAID);
});

test("a lost webhook is not a lost order: the command asks", async () => {
  await withRelay("lose", async () => {
    const guest = await storefront.beginPayment();
    await tua.pay(guest.token);
    await tua.waitForCheckout(guest.checkoutId, "PAID");
    assert.equal((await guest.read()).status, WAITING);
    await shop.reconcile();
    assert.deepEqual((await guest.waitForStatus(PAID)).sources, [["18.00", "0.00"]]);
  });
});

test("a payer who comes back before the webhook sees the order paid", async () => {
  await withRelay("lose", async () => {
    const guest = await storefront.beginPayment();
    await tua.pay(guest.token);
    await tua.waitForCheckout(guest.checkoutId, "PAID");
    await guest.page.goto(await storefront.statusUrl(guest));
    await guest.page.waitForURL(`${shop.origin}/checkout/thank-you/`);
    assert.equal((await guest.read()).status, PAID);
  });
});

test("a shop that is killed while the payer pays still has the order paid once", async () => {
  const guest = await storefront.beginPayment();
  const { approve } = await tua.payLater(guest.token);
  await shop.kill();
  await approve();
  await tua.waitForCheckout(guest.checkoutId, "PAID");
  await shop.start();
  await shop.reconcile();
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual([order.sources, order.events, order.errors], [[["18.00", "0.00"]], [["paid", "18.00"]], []]);
});

test("a webhook that comes twice, and once more, pays once", async () => {
  await withRelay("twice", async () => {
    const guest = await buy();
    const paid = relay.deliveries.findLast(({ event }) => event.type === "checkout.paid");
    await waitFor("both deliveries", () => paid.statuses.length === 2);
    assert.deepEqual(paid.statuses, [204, 204]);
    assert.equal(await forward(webhookUrl, paid), 204);
    const order = await guest.read();
    assert.deepEqual([order.sources, order.events, order.errors], [guest.order.sources, guest.order.events, []]);
    assert.equal((await shop.mails()).filter((mail) => mail.includes(guest.email)).length, 1);
  });
});

test("webhooks, the payer and the command at the same moment record the money once", async () => {
  const guest = await storefront.beginPayment();
  const url = await storefront.statusUrl(guest);
  await withRelay("lose", async () => {
    await tua.pay(guest.token);
    await tua.waitForCheckout(guest.checkoutId, "PAID");
  });
  const paid = await waitFor("the webhook", () =>
    relay.deliveries.findLast(({ event }) => event.type === "checkout.paid" && event.data.checkoutId === guest.checkoutId),
  );
  const asking = [1, 2, 3].map(async () => (await fetch(url)).status);
  const sending = [1, 2, 3].map(() => forward(webhookUrl, paid));
  const results = await Promise.all([...asking, ...sending, shop.reconcile()]);
  assert.deepEqual(results.slice(0, 6), [200, 200, 200, 204, 204, 204]);
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual([order.sources, order.events, order.errors], [[["18.00", "0.00"]], [["paid", "18.00"]], []]);
  assert.equal((await shop.mails()).filter((mail) => mail.includes(guest.email)).length, 1);
});

test("a webhook with another body is refused and changes nothing", async () => {
  const guest = await storefront.beginPayment();
  const paid = relay.deliveries.findLast(({ event }) => event.type === "checkout.paid");
  const event = { ...paid.event, data: { ...paid.event.data, checkoutId: guest.checkoutId } };
  assert.equal(await forward(webhookUrl, { ...paid, body: JSON.stringify(event) }), 400);
  assert.equal((await guest.read()).status, WAITING);
});

test("half is refunded, then the rest by Oscar's payment event, and no more", async () => {
  const guest = await buy();
  assert.match(await staff.refund(guest.number, "9.00"), /GHS 9.00 were refunded/);
  assert.deepEqual((await guest.read()).sources, [["18.00", "9.00"]]);
  assert.match(await staff.refund(guest.number, "9.01"), /At most GHS 9.00/);
  assert.match(await staff.refund(guest.number, "nine"), /a sum in cedis/);
  assert.match(await staff.refundByEvent(guest.number, "9.00"), /Payment event created/);
  assert.match(await staff.refundByEvent(guest.number, "0.01"), /At most GHS 0.00/);
  const order = await guest.read();
  assert.deepEqual(order.sources, [["18.00", "18.00"]]);
  assert.deepEqual(order.events, [
    ["paid", "18.00"],
    ["refund", "9.00"],
    ["refund", "9.00"],
  ]);
  assert.deepEqual(await madeRefunds(guest), [
    [9, "SUCCESSFUL"],
    [9, "SUCCESSFUL"],
  ]);
});

test("of two refunds at the same moment, the second gets what is left", async () => {
  const guest = await buy();
  const colleague = await signIn(browser, shop);
  const told = await Promise.all([staff.refund(guest.number, "10.00"), colleague.refund(guest.number, "10.00")]);
  assert.equal(told.filter((text) => /GHS 10.00 were refunded/.test(text)).length, 1, told.join());
  assert.equal(told.filter((text) => /At most GHS 8.00/.test(text)).length, 1, told.join());
  assert.deepEqual((await guest.read()).sources, [["18.00", "10.00"]]);
  assert.deepEqual(await madeRefunds(guest), [[10, "SUCCESSFUL"]]);
});

test("a refund whose response was lost is made once", async () => {
  const guest = await buy();
  await withLostResponses("POST", "/v1/refunds", async () => {
    assert.match(await staff.refund(guest.number, "9.00"), /Tua has not confirmed .* its outcome is not known yet: POST \/refunds/);
  });
  assert.deepEqual((await guest.read()).refunds, [["PENDING", "9.00"]]);
  await waitFor("the refund", async () => {
    await shop.reconcile();
    return (await guest.read()).refunds[0][0] === "SUCCESSFUL";
  });
  assert.deepEqual((await guest.read()).sources, [["18.00", "9.00"]]);
  assert.deepEqual(await madeRefunds(guest), [[9, "SUCCESSFUL"]]);
});

test("a refund that fails leaves its amount refundable", async () => {
  const guest = await buy(REFUND_FAILS);
  assert.match(await staff.refund(guest.number, "18.00"), /failed, and no money moved/);
  const order = await guest.read();
  assert.deepEqual([order.refunds, order.sources], [[["FAILED", "18.00"]], [["18.00", "0.00"]]]);
  assert.match(await staff.refund(guest.number, "18.00"), /failed, and no money moved/);
});

test("a refund whose outcome is not known is pending, and its amount is not refunded again", async () => {
  const guest = await buy(REFUND_STAYS_PENDING);
  assert.match(await staff.refundByEvent(guest.number, "10.00"), /its outcome is not known yet/);
  assert.match(await staff.refund(guest.number, "8.01"), /At most GHS 8.00/);
  const order = await guest.read();
  assert.deepEqual([order.refunds, order.sources], [[["PENDING", "10.00"]], [["18.00", "0.00"]]]);
});

test("a person who may only look at orders refunds nothing", async () => {
  const guest = await buy();
  const reader = await signIn(browser, shop, "reader");
  await reader.open(guest.number);
  assert.equal(await reader.page.locator("#tua_refund_form").count(), 0);
  assert.match(await reader.refundByEvent(guest.number, "9.00"), /need the permission to change orders/);
  assert.deepEqual(await madeRefunds(guest), []);
});

test("an order that people cancel closes its checkout", async () => {
  const guest = await storefront.beginPayment();
  assert.match(await staff.setStatus(guest.number, "Cancelled"), /changed from/);
  assert.equal(await statusOf(guest), "CLOSED");
  assert.match(await openStatus(guest), /The order was cancelled/);
  assert.equal(await guest.page.getByRole("button", { name: "Pay with mobile money" }).count(), 0);
});

test("an order that nobody paid is cancelled after Tua was asked, and its goods are free again", async () => {
  const guest = await storefront.beginPayment();
  const allocated = await shop.allocated();
  await shop.age(guest.number);
  await shop.reconcile();
  assert.equal((await guest.read()).status, WAITING);
  await tua.expire(guest.checkoutId);
  await shop.reconcile();
  assert.equal((await guest.read()).status, "Cancelled");
  assert.equal(await shop.allocated(), allocated - 1);
});

test("an order in dollars is refused with a sentence", async () => {
  const { page, email, placeOrder } = await storefront.arrange({ product: IN_DOLLARS });
  await placeOrder();
  await page.getByText("Mobile money is paid in Ghana cedis (GHS), and this order is in USD").waitFor();
  assert.deepEqual(await shop.orders(email), []);
});

test("a payer reads French", async () => {
  const guest = await storefront.beginPayment({ locale: "fr-FR" });
  assert.match(await openStatus(guest), /La commande n’est pas encore payée/);
});

test("orders that began with the test key are not stuck after the shop went live", async () => {
  const guest = await storefront.beginPayment();
  const waiting = await storefront.beginPayment();
  const buyer = await buy(REFUND_STAYS_PENDING);
  assert.match(await staff.refund(buyer.number, "9.00"), /its outcome is not known yet/);
  const live = await tua.goLive();
  secrets.push(live);
  await shop.restartWith(live);
  assert.match(await openStatus(guest), /No money moved/);
  await shop.age(waiting.number);
  await shop.reconcile();
  assert.equal((await waiting.read()).status, "Cancelled");
  assert.deepEqual((await buyer.read()).refunds, [["FAILED", "9.00"]]);
  await shop.restartWith(tua.secretKey);
  const token = await payAgain(guest);
  assert.notEqual(token, guest.token);
  // The simulated phone has ended, so this number pays by itself.
  await tua.payLater(token, "0241001234");
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual(
    order.payments.map(({ state }) => state),
    ["OVER", "PAID"],
  );
});

test("no log, page or e-mail has a secret or a phone number", async () => {
  const log = await shop.readLog();
  for (const text of [log, ...(await shop.mails())]) {
    for (const secret of secrets) assert.equal(text.includes(secret), false);
    assert.doesNotMatch(text, /tua_checkout_[A-Za-z0-9]/);
  }
  assert.doesNotMatch(log, /\b(024\d{7}|23324\d{7})\b/);
});
