import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { startBreaker } from "../../support/breaker.mjs";
import { payOnHostedPage, tokenOf } from "../../support/hosted-page.mjs";
import { startPostgres } from "../../support/postgres.mjs";
import { waitFor } from "../../support/processes.mjs";
import { startTua } from "../../support/tua.mjs";
import { forward, startRelay } from "../../support/webhooks.mjs";
import { createShop } from "./pretix.mjs";
import { createStorefront, signIn } from "./storefront.mjs";

const REFUND_FAILS = "0240000021";
const REFUND_STAYS_PENDING = "0240000022";
const WAITING = "n";
const PAID = "p";
const EXPIRED = "e";
const CANCELLED = "c";
const CONFIRMED = [["tua", "confirmed", "18.00"]];

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
  const postgres = await startPostgres();
  ended.push(postgres.stop);
  const keys = { TUA_SECRET_KEY: tua.secretKey, TUA_BASE_URL: `${breaker.origin}/v1`, TUA_WEBHOOK_SECRET: webhookSecret };
  shop = await createShop(keys, postgres);
  ended.push(shop.stop);
  await shop.start();
  webhookUrl = `${shop.origin}/adom/summit/tua/webhook/test/`;
  const program = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
  ended.push(() => browser.close());
  storefront = createStorefront(browser, shop, tua);
  staff = await signIn(browser, shop);
});

after(async () => {
  for (const end of ended.reverse()) await end();
});

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

const message = (page) => page.locator("#tua-status").innerText();
const payButton = (page) => page.locator("#tua-pay");
const chargeOf = async ({ checkoutId }) => (await tua.request(`/checkout/${checkoutId}`)).body.transaction.transactionId;
const statusOf = async ({ checkoutId }) => (await tua.request(`/checkout/${checkoutId}`)).body.status;
const madeRefunds = async (guest) => (await tua.refundsOf(await chargeOf(guest))).map(({ amount, status }) => [amount, status]);
const mailsTo = async ({ email }) => (await shop.mails()).filter((mail) => mail.includes(email));

/** pretix's page of the order, in the browser of the guest. */
async function openOrder(guest) {
  await guest.page.goto(guest.orderUrl);
  return message(guest.page);
}

const payAgain = async ({ page }) => {
  await payButton(page).click();
  await page.waitForURL((url) => url.origin === tua.origin);
  return tokenOf(page.url());
};

test("a free ticket needs no payment", async () => {
  const { page, email } = await storefront.fillCart({ ticket: "Free entry" });
  await page.locator(".checkout-button-row button[type=submit]").click();
  await page.getByText("Your order has been processed successfully").first().waitFor();
  assert.deepEqual((await shop.orders(email))[0].attempts, []);
});

test("a guest buys in a browser: hosted page, back in the shop, order paid once, one e-mail about it", async () => {
  const guest = await storefront.beginPayment();
  await payOnHostedPage(guest.page, tua);
  await guest.page.locator(`a[href^="${shop.origin}/adom/summit/tua/return/"]`).click();
  await guest.page.getByText("We successfully received your payment").first().waitFor();
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual([order.payments, order.flags], [CONFIRMED, []]);
  const about = (await mailsTo(guest)).filter((mail) => /Payment received/.test(mail));
  assert.equal(about.length, 1);
});

test("a webhook alone pays the order of a payer who closed the browser", async () => {
  const guest = await storefront.beginPayment();
  await guest.page.close();
  await tua.pay(guest.token);
  assert.deepEqual((await guest.waitForStatus(PAID)).payments, CONFIRMED);
});

test("before the payment, the order waits, and its e-mail has an address to pay at", async () => {
  const guest = await storefront.beginPayment();
  const { status, payments } = await guest.read();
  assert.deepEqual([status, payments], [WAITING, [["tua", "created", "18.00"]]]);
  assert.match(await openOrder(guest), /The order is not paid yet/);
  const [mail] = await mailsTo(guest);
  const url = mail.replaceAll("=\n", "").match(/http:\S+\/tua\/pay\/[^\s"<]+/)[0].replaceAll("=3D", "=");
  await guest.page.goto(url);
  assert.equal(tokenOf(guest.page.url()), guest.token);
});

test("a declined payment leaves the order payable with the same checkout", async () => {
  const guest = await storefront.beginPayment();
  const { body } = await tua.decline(guest.token);
  await waitFor("the decline", async () => (await tua.request(`/status/${body.transactionId}`)).body.status === "FAILED");
  assert.match(await openOrder(guest), /The order is not paid yet/);
  assert.equal(await payAgain(guest), guest.token);
  await tua.pay(guest.token);
  assert.deepEqual((await guest.waitForStatus(PAID)).payments, CONFIRMED);
});

test("a pending payment keeps the order from expiring, and late success pays it", async () => {
  const guest = await storefront.beginPayment();
  const { approve } = await tua.payLater(guest.token);
  await tua.expire(guest.checkoutId);
  assert.match(await openOrder(guest), /not confirmed yet. Please do not pay again/);
  assert.equal(await payButton(guest.page).count(), 0);
  assert.equal(await guest.page.getByText("choose another payment method").count(), 0);
  assert.match(await staff.cancelPayment(guest.code), /not confirmed yet. Please do not pay again/);
  await shop.age(guest.code);
  await shop.runPeriodic();
  const { status, expires, payments } = await guest.read();
  assert.deepEqual([status, payments], [WAITING, [["tua", "pending", "18.00"]]]);
  assert.ok(new Date(expires) > new Date(), expires);
  await approve();
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual([order.payments, order.flags], [CONFIRMED, []]);
});

test("two tabs get one checkout, which is paid once", async () => {
  const guest = await storefront.beginPayment();
  const second = await guest.page.context().newPage();
  await second.goto(guest.orderUrl);
  assert.equal(await payAgain({ page: second }), guest.token);
  const { approve } = await tua.payLater(guest.token);
  const refused = await tua.payLater(guest.token);
  assert.equal(refused.status >= 400, true, JSON.stringify(refused.body));
  await approve();
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual([order.payments, order.attempts.length], [CONFIRMED, 1]);
});

test("tabs that begin at the same moment get one checkout", async () => {
  const guest = await storefront.beginPayment();
  await tua.expire(guest.checkoutId);
  const url = (await storefront.returnUrl(guest)).replace("/tua/return/", "/tua/pay/");
  const begun = await Promise.all([1, 2, 3].map(() => fetch(url, { redirect: "manual" })));
  const tokens = new Set(begun.map((response) => tokenOf(response.headers.get("location"))));
  assert.equal(tokens.size, 1);
  assert.deepEqual(
    (await guest.read()).attempts.map(({ state }) => state),
    ["OVER", "OPEN"],
  );
});

test("a tab that chose mobile money again has the only checkout that can be paid", async () => {
  const guest = await storefront.beginPayment();
  const { page } = guest;
  await openOrder(guest);
  await page.getByText("choose another payment method").click();
  await page.locator("input[name=payment][value=tua]").check();
  await page.locator(".checkout-button-row button[type=submit]").click();
  await page.waitForURL(/\/pay\/\d+\/confirm/);
  await page.locator(".checkout-button-row button[type=submit]").click();
  await page.waitForURL((url) => url.origin === tua.origin);
  const token = tokenOf(page.url());
  assert.notEqual(token, guest.token);
  assert.equal(await statusOf(guest), "CLOSED");
  await tua.pay(token);
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual(order.payments, [["tua", "canceled", "18.00"], ...CONFIRMED]);
});

test("after an expired checkout, another one pays the order", async () => {
  const guest = await storefront.beginPayment();
  await tua.expire(guest.checkoutId);
  assert.match(await openOrder(guest), /not paid in time. No money moved/);
  const token = await payAgain(guest);
  assert.notEqual(token, guest.token);
  await tua.pay(token);
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual(
    order.attempts.map(({ state }) => state),
    ["OVER", "PAID"],
  );
});

test("a payment that cannot begin moves no money, and begins later", async () => {
  const guest = await storefront.arrange();
  await withLostResponses("POST", "/v1/checkout", async () => {
    await guest.placeOrder();
    await guest.page.getByText("could not begin. No money moved").first().waitFor();
  });
  const token = await payAgain(guest);
  const { waitForStatus, checkoutId, code } = await storefront.shopperOf(guest);
  const { body } = await tua.request(`/checkouts?reference=SUMMIT-${code}-P-1`);
  assert.deepEqual(
    body.data.map((checkout) => checkout.checkoutId),
    [checkoutId],
  );
  await tua.pay(token);
  await waitForStatus(PAID);
});

test("a lost webhook is not a lost order: the periodic task asks", async () => {
  await withRelay("lose", async () => {
    const guest = await storefront.beginPayment();
    await tua.pay(guest.token);
    await tua.waitForCheckout(guest.checkoutId, "PAID");
    assert.equal((await guest.read()).status, WAITING);
    await shop.runPeriodic();
    assert.deepEqual((await guest.waitForStatus(PAID)).payments, CONFIRMED);
  });
});

test("a payer who comes back before the webhook sees the order paid", async () => {
  await withRelay("lose", async () => {
    const guest = await storefront.beginPayment();
    await tua.pay(guest.token);
    await tua.waitForCheckout(guest.checkoutId, "PAID");
    await guest.page.goto(await storefront.returnUrl(guest));
    await guest.page.getByText("We successfully received your payment").first().waitFor();
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
  await shop.runPeriodic();
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual([order.payments, order.flags], [CONFIRMED, []]);
});

test("a webhook that comes twice, and once more, pays once", async () => {
  await withRelay("twice", async () => {
    const guest = await buy();
    const paid = relay.deliveries.findLast(({ event }) => event.type === "checkout.paid");
    await waitFor("both deliveries", () => paid.statuses.length === 2);
    assert.deepEqual(paid.statuses, [204, 204]);
    assert.equal(await forward(webhookUrl, paid), 204);
    const order = await guest.read();
    assert.deepEqual([order.payments, order.flags], [CONFIRMED, []]);
  });
});

test("webhooks, the payer and the periodic task at the same moment record the money once", async () => {
  const guest = await storefront.beginPayment();
  const url = await storefront.returnUrl(guest);
  await withRelay("lose", async () => {
    await tua.pay(guest.token);
    await tua.waitForCheckout(guest.checkoutId, "PAID");
  });
  const paid = await waitFor("the webhook", () =>
    relay.deliveries.findLast(({ event }) => event.type === "checkout.paid" && event.data.checkoutId === guest.checkoutId),
  );
  const asking = [1, 2, 3].map(async () => (await fetch(url)).status);
  const sending = [1, 2, 3].map(() => forward(webhookUrl, paid));
  const results = await Promise.all([...asking, ...sending, shop.runPeriodic()]);
  assert.deepEqual(results.slice(0, 6), [200, 200, 200, 204, 204, 204]);
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual([order.payments, order.flags], [CONFIRMED, []]);
  assert.equal((await mailsTo(guest)).filter((mail) => /Payment received/.test(mail)).length, 1);
});

test("a webhook with another body is refused and changes nothing", async () => {
  const guest = await storefront.beginPayment();
  const paid = relay.deliveries.findLast(({ event }) => event.type === "checkout.paid");
  const event = { ...paid.event, data: { ...paid.event.data, checkoutId: guest.checkoutId } };
  assert.equal(await forward(webhookUrl, { ...paid, body: JSON.stringify(event) }), 400);
  assert.equal((await guest.read()).status, WAITING);
});

test("half is refunded by pretix's own button, then the rest, and no more", async () => {
  const guest = await buy();
  await staff.refund(guest.code, "9.00");
  await waitFor("the refund", async () => (await guest.read()).refunds[0]?.[0] === "done");
  assert.deepEqual((await guest.read()).payments, CONFIRMED);
  assert.match(await staff.refund(guest.code, "9.01"), /You need to specify an amount/);
  await staff.refund(guest.code, "9.00");
  await waitFor("the refund", async () => (await guest.read()).refunds[1]?.[0] === "done");
  assert.deepEqual((await guest.read()).payments, [["tua", "refunded", "18.00"]]);
  assert.deepEqual(await madeRefunds(guest), [
    [9, "SUCCESSFUL"],
    [9, "SUCCESSFUL"],
  ]);
});

test("a refund whose response was lost is made once", async () => {
  const guest = await buy();
  await withLostResponses("POST", "/v1/refunds", async () => {
    await staff.refund(guest.code, "9.00");
  });
  assert.deepEqual((await guest.read()).refunds, [["transit", "9.00"]]);
  await waitFor("the refund", async () => {
    await shop.runPeriodic();
    return (await guest.read()).refunds[0][0] === "done";
  });
  assert.deepEqual(await madeRefunds(guest), [[9, "SUCCESSFUL"]]);
});

test("a refund that fails leaves its amount refundable, and is told", async () => {
  const guest = await buy(REFUND_FAILS);
  await staff.refund(guest.code, "18.00");
  await waitFor("the failure", async () => (await guest.read()).refunds[0][0] === "failed");
  assert.deepEqual((await guest.read()).flags, ["refund_failed"]);
  await staff.open(guest.code);
  await staff.page.getByText("The refund of GHS 18.00 failed, and no money moved").first().waitFor();
  await staff.refund(guest.code, "18.00");
  assert.equal((await guest.read()).refunds.length, 2);
});

test("a refund whose outcome is not known is in transit, and its amount is not refunded again", async () => {
  const guest = await buy(REFUND_STAYS_PENDING);
  await staff.refund(guest.code, "10.00");
  assert.match(await staff.refund(guest.code, "8.01"), /You need to specify an amount/);
  assert.deepEqual((await guest.read()).refunds, [["transit", "10.00"]]);
});

test("an order that people cancel closes its checkout", async () => {
  const guest = await storefront.beginPayment();
  await staff.cancelOrder(guest.code);
  const order = await guest.waitForStatus(CANCELLED);
  assert.deepEqual(order.payments, [["tua", "canceled", "18.00"]]);
  assert.equal(await statusOf(guest), "CLOSED");
});

test("money for an order that people cancelled while it was pending is recorded, told and refunded", async () => {
  const guest = await storefront.beginPayment();
  const { approve } = await tua.payLater(guest.token);
  await staff.cancelOrder(guest.code);
  await guest.waitForStatus(CANCELLED);
  await approve();
  await waitFor("the money", async () => (await guest.read()).flags.length === 1);
  const order = await guest.read();
  assert.deepEqual([order.payments, order.flags], [CONFIRMED, ["arrived_cancelled"]]);
  await staff.open(guest.code);
  await staff.page.getByText("arrived after the order was cancelled").first().waitFor();
  await staff.refund(guest.code, "18.00");
  await waitFor("the refund", async () => (await guest.read()).refunds[0]?.[0] === "done");
  assert.deepEqual(await madeRefunds(guest), [[18, "SUCCESSFUL"]]);
});

test("an order that nobody paid expires after Tua was asked, and its checkout is closed", async () => {
  const guest = await storefront.beginPayment();
  await shop.age(guest.code);
  await shop.runPeriodic();
  assert.equal((await guest.read()).status, EXPIRED);
  assert.equal(await statusOf(guest), "CLOSED");
});

test("a pending payment of an order whose tickets are gone is told, and its money too", async () => {
  const guest = await storefront.beginPayment();
  const { approve } = await tua.payLater(guest.token);
  await waitFor("the webhook", async () => (await guest.read()).payments[0][1] === "pending");
  await shop.age(guest.code);
  await shop.limit(0);
  try {
    await shop.runPeriodic();
    assert.equal((await guest.read()).status, EXPIRED);
    await approve();
    await waitFor("the money", async () => (await guest.read()).flags.length === 2);
  } finally {
    await shop.limit(1000);
  }
  const order = await guest.read();
  assert.deepEqual([order.payments, order.flags], [CONFIRMED, ["expired_unconfirmed", "arrived_sold_out"]]);
});

test("an event in euros does not offer mobile money", async () => {
  const { page } = await storefront.fillCart({ event: "euro" });
  assert.equal(await page.locator("input[name=payment][value=tua]").count(), 0);
});

test("a payer reads French", async () => {
  const guest = await storefront.beginPayment({ locale: "fr-FR" });
  assert.match(await openOrder(guest), /La commande n’est pas encore payée/);
});

test("orders of the test mode stay in it after the event went live", async () => {
  const guest = await storefront.beginPayment();
  const buyer = await buy(REFUND_STAYS_PENDING);
  const live = await tua.goLive();
  const webhookSecret = `whsec_${Buffer.alloc(32, "l").toString("base64")}`;
  secrets.push(live, webhookSecret);
  await staff.goLive(live, webhookSecret);
  assert.match(await openOrder(guest), /The order is not paid yet/);
  assert.equal(await payAgain(guest), guest.token);
  // The simulated phone has ended, so this number pays by itself.
  await tua.payLater(guest.token, "0241001234");
  const order = await guest.waitForStatus(PAID);
  assert.deepEqual(order.attempts.map(({ state, mode }) => [state, mode]), [["PAID", "test"]]);
  await staff.refund(buyer.code, "9.00");
  assert.deepEqual(await madeRefunds(buyer), [[9, "PENDING"]]);
});

test("an order after that is live: an address without https gets no live checkout, and no money moves", async () => {
  const guest = await storefront.arrange();
  await guest.placeOrder();
  await payButton(guest.page).waitFor();
  assert.match(await message(guest.page), /No money moved/);
  const [order] = await shop.orders(guest.email);
  assert.deepEqual([order.status, order.attempts.map(({ mode }) => mode)], [WAITING, ["live"]]);
});

test("no log, page or e-mail has a secret or a phone number", async () => {
  const log = await shop.readLog();
  for (const text of [log, ...(await shop.mails())]) {
    for (const secret of secrets) assert.equal(text.includes(secret), false);
    assert.doesNotMatch(text, /tua_checkout_[A-Za-z0-9]/);
  }
  assert.doesNotMatch(log, /\b(024\d{7}|23324\d{7})\b/);
});
