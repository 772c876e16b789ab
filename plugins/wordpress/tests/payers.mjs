/*
 * What payers do: they buy, are declined, pay late, in two tabs, and while webhooks or servers are lost.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { eventually } from "../../../tests/service.mjs";
import { addItem, addWebhook, ask, assertHarmless, axe, call, charge, deliveries, payment, press, removeWebhook, service, site, storeWebhookSecret, tokenOf, untilState, visitor, webhook } from "./shop.mjs";

/** A folder for the picture of the documentation, where one is wanted. */
const pictures = process.argv[4];
const BUTTON = { name: "Pay GH₵18.00" };

/** Presses the button of an item, and returns the browser on the hosted page. */
async function open(item, options) {
  const page = await visitor(options);
  await page.goto(item.url);
  await press(page);
  await page.waitForURL(/\/pay\?key=/);
  return page;
}

async function fillComponent(page, number) {
  const section = page.locator("tua-checkout");
  await section.getByRole("button", BUTTON).waitFor();
  await section.getByRole("textbox", { name: "Mobile money number" }).fill(number);
  await section.getByRole("button", BUTTON).click();
}

/** The address of the order's page, which the hosted page offers. */
const returnUrl = async (page) => (await call("GET", "/checkout", undefined, tokenOf(page.url()))).returnUrl;

export async function embedded() {
  const item = addItem({ presentation: "embedded" });
  const page = await visitor();
  await page.goto(item.url);
  await test("the form has no faults of accessibility", async () => assert.deepEqual(await axe(page, ".tua-payments"), []));
  await press(page);
  if (pictures) {
    await page.locator("tua-checkout").getByRole("button", BUTTON).waitFor();
    await page.screenshot({ path: join(pictures, "wordpress.png") });
  }
  await test("a declined payer reads why, and the payment stays open", async () => {
    await fillComponent(page, "0241230002");
    await page.locator("tua-checkout").getByText(/declined|rejected|refused/i).first().waitFor();
    await untilState(item, "tua-open");
  });
  await test("the payer pays with the same checkout, and the webhook marks it once", async () => {
    const { checkoutId } = payment(item);
    await page.reload();
    await page.locator("tua-checkout [name=again]").click();
    await fillComponent(page, "0241234567");
    await page.locator("tua-checkout").getByRole("heading", { name: "Payment successful" }).waitFor();
    const paid = await untilState(item, "tua-paid");
    assert.equal(paid.checkoutId, checkoutId);
    assert.equal(paid.paid, 1);
  });
  await test("the page says that it is paid, and offers no second payment", async () => {
    await page.reload();
    const text = await page.locator("[data-tua-payment]").innerText();
    assert.match(text, /Your payment has arrived/);
    assert.equal(await page.locator("[data-tua-payment] button").count(), 0);
    assert.deepEqual(await axe(page, "[data-tua-payment]"), []);
  });
  await page.context().close();
}

export async function webhooks() {
  const item = addItem({});
  const page = await open(item);
  await charge(tokenOf(page.url()));
  await untilState(item, "tua-paid");
  await test("a webhook that comes twice marks nothing twice", async () => {
    const [paid] = deliveries("checkout.paid");
    service.run("webhook", "replay", paid.deliveryId);
    await eventually("the repeated webhook", async () => {
      const again = deliveries("checkout.paid").find(({ deliveryId }) => deliveryId === paid.deliveryId);
      return again.lastAttemptAt !== paid.lastAttemptAt && again.status === "DELIVERED";
    });
    assert.equal(payment(item).paid, 1);
  });
  await test("a webhook without the right signature is refused", async () => {
    const headers = { "content-type": "application/json", "webhook-id": "msg_1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)), "webhook-signature": "v1,AAAA" };
    const forged = await fetch(`${site.url}/wp-json/tua-payments/v1/webhook`, { method: "POST", headers, body: '{"type":"checkout.paid","data":{}}' });
    assert.equal(forged.status, 400);
  });
  await test("both secrets of a rotation are accepted", async () => {
    webhook.secret = service.run("webhook", "rotate", webhook.endpointId).secret;
    const [paid] = deliveries("checkout.paid");
    service.run("webhook", "replay", paid.deliveryId); // Signed with both, and the site has the old one.
    await eventually("the webhook", async () => deliveries("checkout.paid")[0].lastAttemptAt !== paid.lastAttemptAt && deliveries("checkout.paid")[0].status === "DELIVERED");
    storeWebhookSecret();
    assert.equal(site.php(`return count(TuaPayments\\Settings\\Settings::webhookSecrets(TuaPayments\\Settings\\Mode::Test));`), 2);
  });
  await page.context().close();
}

export async function withoutWebhook() {
  removeWebhook();
  await test("a payer who comes back before any webhook reads that the payment has arrived", async () => {
    const item = addItem({});
    const page = await open(item);
    const back = await returnUrl(page);
    await charge(tokenOf(page.url()));
    await eventually("the page says so", async () => (await (await fetch(back)).text()).includes("Your payment has arrived"));
    assert.equal(payment(item).paid, 1);
  });
  await test("a payment whose payer never comes back is found by asking", async () => {
    const item = addItem({});
    const page = await open(item);
    await charge(tokenOf(page.url()));
    await page.context().close();
    await eventually("it is found", async () => (await ask(), payment(item).state === "tua-paid"));
    await ask();
    assert.equal(payment(item).paid, 1);
  });
  await test("a pending payment stays pending, also after its checkout has expired, and is paid late", async () => {
    const item = addItem({});
    const page = await open(item);
    const back = await returnUrl(page);
    const { transactionId } = await call("POST", "/charge", { phoneNumber: "0201234567", network: "TELECEL" }, tokenOf(page.url()));
    await page.goto(back);
    assertHarmless(await page.locator("[data-tua-payment] [role=status]").innerText());
    await page.getByRole("button", { name: "Enter the code" }).click();
    await page.waitForURL(/\/pay\?key=/);
    service.run("sandbox", "expire", payment(item).checkoutId);
    await ask();
    assert.equal(payment(item).state, "tua-pending");
    await call("POST", "/submit-otp", { transactionId, otp: "123456" });
    await eventually("it is paid", async () => (await ask(), payment(item).state === "tua-paid"));
    assert.equal(payment(item).paid, 1);
  });
  await test("a checkout that has expired can be paid again, with another checkout", async () => {
    const item = addItem({});
    const page = await open(item);
    const back = await returnUrl(page);
    const { checkoutId } = payment(item);
    service.run("sandbox", "expire", checkoutId);
    await page.goto(back);
    assert.match(await page.locator("[data-tua-payment]").innerText(), /not paid in time. No money moved/);
    assert.equal(payment(item).state, "tua-unpaid");
    await page.locator("[data-tua-payment] button").click();
    await page.waitForURL(/\/pay\?key=/);
    assert.notEqual(payment(item).checkoutId, checkoutId);
    await charge(tokenOf(page.url()));
    await page.goto(back);
    await eventually("it is paid", async () => (await page.goto(back), payment(item).state === "tua-paid"));
  });
  await test("two tabs that press Pay at the same time after the checkout has expired have one new checkout", async () => {
    const item = addItem({});
    const first = await open(item);
    const back = await returnUrl(first);
    const second = await first.context().newPage();
    service.run("sandbox", "expire", payment(item).checkoutId);
    for (const page of [first, second]) await page.goto(back);
    await Promise.all([first, second].map((page) => page.locator("[data-tua-payment] button").click()));
    await Promise.all([first, second].map((page) => page.waitForURL(/\/pay\?key=/)));
    assert.equal(tokenOf(first.url()), tokenOf(second.url()));
    const { data } = await call("GET", `/checkouts?reference=${payment(item).reference}&status=OPEN`);
    assert.deepEqual(data.map(({ checkoutId }) => checkoutId), [payment(item).checkoutId]);
    await first.context().close();
  });
  addWebhook();
  storeWebhookSecret();
}

export async function twoTabs() {
  const item = addItem({ kind: "donation", amount: "", min_amount: "2.00", max_amount: "100.00" });
  const first = await visitor();
  const second = await first.context().newPage();
  for (const page of [first, second]) await page.goto(item.url);
  await test("an amount outside the limits, or none, is refused in a sentence", async () => {
    await press(first, { amount: "1" });
    assert.match(await first.locator("[role=alert]").innerText(), /smallest amount is GHS 2.00/);
    await press(first, { amount: "ten" });
    assert.match(await first.locator("[role=alert]").innerText(), /Enter an amount/);
    assert.equal(payment(item), null);
  });
  await test("two tabs have one checkout", async () => {
    for (const page of [first, second]) {
      await press(page, { amount: "GHS 20" });
      await page.waitForURL(/\/pay\?key=/);
    }
    assert.equal(tokenOf(first.url()), tokenOf(second.url()));
    assert.equal(payment(item).count, 1);
  });
  await test("two presses of a new payer at the same moment are one payment", async () => {
    const item = addItem({});
    const page = await visitor();
    await page.goto(item.url);
    await page.fill(".tua-payments [name=email]", "esi@example.com");
    const read = (form) => ({ address: form.getAttribute("action"), fields: [...new FormData(form)] });
    const { address, fields } = await page.locator("form.tua-payments").evaluate(read);
    await page.context().close();
    const send = () => fetch(address, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
    const [one, other] = (await Promise.all([send(), send()])).map(({ headers }) => headers.get("location"));
    assert.match(one, /\/pay\?key=/);
    assert.equal(one, other);
    assert.equal(payment(item).count, 1);
  });
  await test("another amount in another tab closes the first checkout", async () => {
    const token = tokenOf(first.url());
    await second.goto(item.url);
    await press(second, { amount: "30,50" });
    await second.waitForURL(/\/pay\?key=/);
    assert.equal(payment(item).count, 2);
    await assert.rejects(charge(token), /checkout_token_expired/);
  });
  await test("while a payment is pending, no other one begins", async () => {
    await charge(tokenOf(second.url()), "0241230007");
    await first.goto(item.url);
    await press(first, { amount: "40" });
    await first.waitForURL(/\/pay\?key=/);
    assert.equal(tokenOf(first.url()), tokenOf(second.url()));
    assert.equal(payment(item).count, 2);
    assert.equal(payment(item).amount, "30.50");
    assert.equal(payment(item).state, "tua-pending");
  });
  await first.context().close();
}

export async function outages() {
  const item = addItem({});
  await test("a site that is down when the payment arrives learns of it later, once", async () => {
    const page = await open(item);
    const token = tokenOf(page.url());
    await site.kill();
    await charge(token);
    await eventually("a lost delivery", async () => deliveries("checkout.paid").some(({ status, attempts }) => status === "PENDING" && attempts !== 0));
    await site.start();
    await untilState(item, "tua-paid");
    await ask();
    assert.equal(payment(item).paid, 1);
    await page.context().close();
  });
  await test("while the service is down, the payer is asked not to pay again", async () => {
    const page = await open(item);
    const back = await returnUrl(page);
    // It stays pending until the payer's code arrives.
    const { transactionId } = await call("POST", "/charge", { phoneNumber: "0201234567", network: "TELECEL" }, tokenOf(page.url()));
    await service.withoutService(async () => {
      await page.goto(back);
      assertHarmless(await page.locator("[data-tua-payment]").innerText());
      assert.equal(await page.locator("[data-tua-payment] button").count(), 0);
    });
    await call("POST", "/submit-otp", { transactionId, otp: "123456" });
    await untilState(item, "tua-paid");
    await page.context().close();
  });
  await test("a payment that could not begin can be tried again", async () => {
    const page = await visitor();
    await page.goto(item.url);
    await service.withoutService(async () => {
      await press(page);
      assert.match(await page.locator("[data-tua-payment]").innerText(), /could not begin. No money moved/);
    });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL(/\/pay\?key=/);
    await page.context().close();
  });
}
