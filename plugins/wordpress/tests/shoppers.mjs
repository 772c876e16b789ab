/*
 * What customers and the people of a store do with the gateway in WooCommerce.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { eventually } from "../../../tests/service.mjs";
import { addWebhook, administrator, call, charge, key, removeWebhook, service, site, storeWebhookSecret, tokenOf, webhook } from "./shop.mjs";
import { addClassicCheckout, askAboutOrder, beginPayment, cancelUnpaidOrders, checkoutPage, placeOrder, readOrder, setCurrency, shopper, untilOrder, withOrder } from "./store.mjs";

const PENDING = "0241230007";
const DECLINED = "0241230002";
const REFUND_FAILS = "0241230021";

let admin;

export async function administration() {
  admin = await administrator();
  const settings = `${site.url}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=tua`;
  await test("the settings say why the method is not offered", async () => {
    setCurrency("USD");
    await admin.goto(settings);
    assert.match(await admin.locator("#mainform").innerText(), /Ghana cedis \(GHS\) only, and this shop sells in USD/);
    setCurrency("GHS");
  });
  await test("a person enables the method, and every setting is explained", async () => {
    await admin.goto(settings);
    const text = await admin.locator("#mainform").innerText();
    assert.doesNotMatch(text, /not offered to customers/);
    assert.match(text, /The name of the payment method that customers read/);
    await admin.check("#woocommerce_tua_enabled");
    await admin.locator("#mainform [type=submit]").click();
    await admin.getByText("Your settings have been saved").waitFor();
    assert.equal(site.php(`return WC()->payment_gateways()->payment_gateways()["tua"]->is_available();`), true);
  });
  await test("WooCommerce lists the plug-in as compatible with its features", () => {
    const features = site.php(`return Automattic\\WooCommerce\\Utilities\\FeaturesUtil::get_compatible_features_for_plugin("tua-payments/tua-payments.php");`);
    assert.deepEqual(["custom_order_tables", "cart_checkout_blocks"].filter((name) => !features.compatible.includes(name)), []);
  });
}

/** The number of the order that the customer has placed. */
const placedOrder = async (page) => {
  const { returnUrl } = await call("GET", "/checkout", undefined, tokenOf(page.url()));
  return { id: Number(new URL(returnUrl).pathname.match(/order-received\/(\d+)/)[1]), returnUrl };
};

/** Pays on the payment page that the browser is on, and returns to the store. */
async function payAndReturn(page) {
  await page.waitForURL(/\/pay\?key=/);
  const { id, returnUrl } = await placedOrder(page);
  await charge(tokenOf(page.url()));
  const paid = await untilOrder(id, "processing");
  await page.goto(returnUrl);
  assert.match(await page.locator("body").innerText(), /Thank you. Your payment has arrived/);
  assert.equal(paid.paid, 1);
  assert.equal((await call("GET", `/status/${paid.transactionId}`)).status, "SUCCESSFUL");
  await page.context().close();
}

export async function checkoutBlock() {
  await test("a customer buys in the checkout block", async () => {
    const page = await shopper();
    await page.goto(checkoutPage());
    await page.fill("#email", "ama@example.com");
    await page.fill("#billing-first_name", "Ama");
    await page.fill("#billing-last_name", "Mensah");
    await page.fill("#billing-address_1", "1 High Street");
    await page.fill("#billing-city", "Accra");
    await page.locator("[value=tua]").check();
    await page.getByText("Pay with MTN MoMo, Telecel Cash or AirtelTigo Money.").waitFor();
    await page.locator(".wc-block-components-checkout-place-order-button").click();
    await payAndReturn(page);
  });
}

export async function classicCheckout() {
  const url = addClassicCheckout();
  const placeInPage = async () => {
    const page = await shopper();
    await page.goto(url);
    await page.fill("#billing_first_name", "Ama");
    await page.fill("#billing_last_name", "Mensah");
    await page.fill("#billing_address_1", "1 High Street");
    await page.fill("#billing_city", "Accra");
    await page.fill("#billing_phone", "0241234567");
    await page.fill("#billing_email", "ama@example.com");
    await page.locator("label[for=payment_method_tua]").click();
    await page.locator(".blockOverlay").first().waitFor({ state: "detached" });
    await page.locator("#place_order").click();
    return page;
  };
  await test("a customer buys in the checkout of the shortcode", async () => payAndReturn(await placeInPage()));
  await test("while the service is down, no order is paid, and the customer reads that no money moved", async () => {
    await service.withoutService(async () => {
      const page = await placeInPage();
      await page.getByText("The payment could not begin. No money moved.").waitFor();
      await page.context().close();
    });
  });
  await test("in another currency the method is not offered", async () => {
    setCurrency("USD");
    const page = await shopper();
    await page.goto(url);
    await page.locator("#place_order").waitFor();
    assert.equal(await page.locator("#payment_method_tua").count(), 0);
    await page.context().close();
    setCurrency("GHS");
  });
}

/** Begins the payment of a new order. */
function begin() {
  const id = placeOrder();
  const { result, redirect } = beginPayment(id);
  assert.equal(result, "success");
  return { id, token: tokenOf(redirect) };
}

const chargeOf = async (token) => (await call("GET", "/checkout", undefined, token)).transaction?.transactionId;
const untilChargeEnds = (id) => eventually("the charge ends", async () => (await call("GET", `/status/${id}`)).status !== "PENDING");

export async function orders() {
  await test("a declined payment leaves the order payable with the same checkout", async () => {
    const { id, token } = begin();
    const { transactionId } = await charge(token, DECLINED);
    await untilChargeEnds(transactionId);
    await eventually("the order waits", async () => (askAboutOrder(id), readOrder(id).status === "pending"));
    assert.equal(tokenOf(beginPayment(id).redirect), token);
    await charge(token);
    assert.equal((await untilOrder(id, "processing")).paid, 1);
  });
  await test("a pending payment keeps the order on hold, and WooCommerce's timer does not cancel it", async () => {
    const { id, token } = begin();
    await charge(token, PENDING);
    await eventually("the order is on hold", async () => (askAboutOrder(id), readOrder(id).status === "on-hold"));
    cancelUnpaidOrders(id);
    assert.equal(readOrder(id).status, "on-hold");
    assert.equal(tokenOf(beginPayment(id).redirect), token);
  });
  await test("the timer closes the checkout before it cancels an order, and asks first where a payment is under way", async () => {
    const open = begin();
    cancelUnpaidOrders(open.id);
    assert.equal(readOrder(open.id).status, "cancelled");
    await assert.rejects(charge(open.token), /checkout_token_expired/);
    removeWebhook();
    const pending = begin();
    await charge(pending.token, PENDING);
    assert.equal(readOrder(pending.id).status, "pending");
    cancelUnpaidOrders(pending.id);
    assert.equal(readOrder(pending.id).status, "on-hold");
    addWebhook();
    storeWebhookSecret();
  });
  await test("money that arrives for a cancelled order revives it", async () => {
    const { id, token } = begin();
    const { transactionId } = await call("POST", "/charge", { phoneNumber: "0201234567", network: "TELECEL" }, token);
    withOrder(id, `$order->update_status("cancelled");`);
    assert.match(readOrder(id).notes, /cancelled while a payment may be under way/);
    await call("POST", "/submit-otp", { transactionId, otp: "123456" });
    const revived = await untilOrder(id, "processing");
    assert.match(revived.notes, /arrived after the order was cancelled. Check the stock/);
  });
  await test("a lost webhook is made up for by asking, also where the customer chose another method meanwhile", async () => {
    removeWebhook();
    const usual = begin();
    await charge(usual.token);
    await eventually("the order is paid", async () => (askAboutOrder(usual.id), readOrder(usual.id).status === "processing"));
    assert.equal(readOrder(usual.id).paid, 1);
    const changed = begin();
    const { transactionId } = await charge(changed.token);
    withOrder(changed.id, `$order->set_payment_method("cod"); $order->set_status("processing"); $order->save();`);
    await untilChargeEnds(transactionId);
    await eventually("people are told", async () => (askAboutOrder(changed.id), /Refund one of them/.test(readOrder(changed.id).notes)));
    addWebhook();
    storeWebhookSecret();
  });
  await test("an order whose total changed gets another checkout, and the old one is closed", async () => {
    const { id, token } = begin();
    withOrder(id, `$fee = new WC_Order_Item_Fee(); $fee->set_name("Gift wrap"); $fee->set_total("2.50"); $order->add_item($fee); $order->calculate_totals(); $order->save();`);
    const next = tokenOf(beginPayment(id).redirect);
    assert.notEqual(next, token);
    assert.equal((await call("GET", "/checkout", undefined, next)).amount, 20.5);
    await assert.rejects(charge(token), /checkout_token_expired/);
  });
}

/** An order that is paid, with its page open in the administration. */
async function paidOrder(number) {
  const { id, token } = begin();
  await charge(token, number);
  const { url } = await untilOrder(id, "processing");
  await admin.goto(url);
  return id;
}

/** Presses the button that refunds through the gateway. Returns the text of the message that appears, if one does. */
async function refund(amount) {
  let message;
  const answer = async (dialog) => {
    if (dialog.type() === "alert") message = dialog.message();
    await dialog.accept();
  };
  admin.on("dialog", answer);
  await admin.locator(".refund-items").click();
  await admin.fill("#refund_amount", amount);
  const responded = admin.waitForResponse((response) => response.url().includes("admin-ajax.php") && (response.request().postData() ?? "").includes("woocommerce_refund_line_items"));
  await admin.locator(".do-api-refund").click();
  const result = await (await responded).json();
  await admin.waitForLoadState("load");
  admin.off("dialog", answer);
  return result.success ? undefined : (result.data?.error ?? message);
}

export async function refunds() {
  await test("half is refunded with WooCommerce's own button, then the rest", async () => {
    const id = await paidOrder();
    assert.equal(await refund("9"), undefined);
    assert.equal(readOrder(id).refunded, "9");
    assert.equal(readOrder(id).status, "processing");
    await admin.goto(readOrder(id).url);
    assert.equal(await refund("9"), undefined);
    await untilOrder(id, "refunded");
    const { data } = await call("GET", `/refunds?transactionId=${readOrder(id).transactionId}`);
    assert.deepEqual(data.map(({ amount }) => amount), [9, 9]);
  });
  await test("a refund whose response was lost is an error, and pressing again takes it up", async () => {
    const id = await paidOrder();
    let message;
    await service.withoutService(async () => (message = await refund("9")));
    assert.match(message, /did not answer. It is asked again until it says what happened/);
    assert.equal(readOrder(id).refunded, "0");
    await admin.goto(readOrder(id).url);
    assert.equal(await refund("9"), undefined);
    const { data } = await call("GET", `/refunds?transactionId=${readOrder(id).transactionId}`);
    assert.equal(data.length, 1);
  });
  await test("a refund that fails later is a note in the order", async () => {
    const id = await paidOrder(REFUND_FAILS);
    await refund("9");
    await eventually("the note", async () => (askAboutOrder(id), /The refund of GHS 9.00 failed, and no money was returned/.test(readOrder(id).notes)));
  });
}

export function log() {
  const text = site.log();
  for (const secret of [key, webhook.secret, "ama@example.com", "0241234567"]) assert.ok(!text.includes(secret), secret);
  assert.deepEqual(text.split("\n").filter((line) => /^\[.*PHP .*(plugins\/tua-payments|<code>tua-payments)/.test(line)), []);
}
