/*
 * What the people of the site do: they enter keys, add items and blocks, and refund.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { eventually } from "../../../tests/service.mjs";
import { account, addItem, addWebhook, administrator, ask, axe, call, charge, key, origin, payment, press, removeWebhook, service, site, storeSettings, storeWebhookSecret, tokenOf, untilState, visitor, webhook } from "./shop.mjs";

let admin;
const settingsUrl = `${site.url}/wp-admin/admin.php?page=tua-payments-settings`;

/** Presses a button until it sends its form, and waits for the page that follows. WordPress ignores presses while it saves a draft. */
async function submit(button) {
  const loaded = admin.waitForEvent("load", { timeout: 180_000 });
  loaded.catch(() => {}); // It is awaited below, unless a press fails before.
  let isSent = false;
  while (!isSent) {
    const request = admin.waitForRequest((request) => request.isNavigationRequest(), { timeout: 10_000 });
    const sent = request.then(() => true, () => false);
    await admin.click(`${button}:not(.disabled)`);
    isSent = await sent;
  }
  await loaded;
}

export async function settings() {
  admin = await administrator();
  addWebhook();
  await test("a wrong key is refused in a sentence", async () => {
    await admin.goto(settingsUrl);
    await admin.fill("#tua-service", origin);
    await admin.fill("#tua-test_secret_key", "tua_checkout_abc");
    await submit("#submit");
    assert.match(await admin.locator(".notice-error").innerText(), /begins with tua_test_v2_/);
  });
  await test("the key and the secret are stored, and no page shows them", async () => {
    await admin.fill("#tua-test_secret_key", key);
    await admin.fill("#tua-test_webhook_secret", webhook.secret);
    await submit("#submit");
    assert.match(await admin.locator(".notice-success").innerText(), /saved/);
    const html = await admin.content();
    for (const secret of [key, webhook.secret]) assert.ok(!html.includes(secret));
    assert.ok(html.includes(`ends with ${key.slice(-4)}`));
  });
  await test("the database does not have them", () => {
    const rows = site.database.query("SELECT option_value FROM wordpress.wp_options");
    for (const secret of [key, webhook.secret]) assert.ok(!rows.includes(secret));
  });
  await test("the connection is checked", async () => {
    service.run("webhook", "ping", webhook.endpointId);
    await eventually("the webhook", async () => site.php(`return (int) get_option("tua_payments_webhook_test");`) > 0);
    await submit("[value='Check the connection']");
    const texts = (await admin.locator(".notice p").allInnerTexts()).join(" ");
    assert.match(texts, /accepts the test key/);
    assert.match(texts, /webhook address can be reached/);
    assert.match(texts, /last webhook arrived/);
  });
  await test("the check names a scope that the key lacks, an address without a service, and a missing key", async () => {
    const check = async (fields) => {
      storeSettings(fields);
      await submit("[value='Check the connection']");
      return (await admin.locator(".notice-error p").allInnerTexts()).join(" ");
    };
    const { key: readingKey } = service.run("key", "create", "--account", account.accountId, "--mode", "test", "--scope", "collect,read");
    assert.match(await check({ test_secret_key: readingKey }), /may not do what this plug-in needs.*refund/);
    assert.match(await check({ service_url: "http://127.0.0.1:9" }), /No Tua service answers at http:\/\/127.0.0.1:9\. Check the address/);
    assert.match(await check({ test_secret_key_delete: "1" }), /Enter the address of the service and a secret key/);
    assert.equal(await check({ test_secret_key: key }), "");
  });
  await test("who does not manage the site sees no settings", async () => {
    site.php(`return wp_insert_user(["user_login" => "kofi", "user_pass" => "secret", "role" => "editor"]);`);
    const page = await visitor();
    await page.goto(`${site.url}/wp-login.php`);
    await page.fill("#user_login", "kofi");
    await page.fill("#user_pass", "secret");
    await page.click("#wp-submit");
    assert.equal((await page.goto(settingsUrl)).status(), 403);
    const form = { action: "tua_payments_settings", "tua[mode]": "live" };
    assert.equal((await page.request.post(`${site.url}/wp-admin/admin-post.php`, { form })).status(), 403);
    await page.context().close();
  });
}

/** An item and its page, made as a person makes them. */
export async function items() {
  let id;
  await test("something that is sold needs a price", async () => {
    await admin.goto(`${site.url}/wp-admin/post-new.php?post_type=tua_item`);
    await admin.fill("#title", "Robe of the choir");
    await admin.fill("#tua-amount", "ten");
    await submit("#publish");
    const texts = await admin.locator(".notice-error").allInnerTexts();
    assert.match(texts.join(" "), /“ten” is not an amount/);
    await admin.fill("#tua-amount", "18");
    await submit("#publish");
    assert.equal(await admin.inputValue("#tua-amount"), "18.00");
    id = new URL(admin.url()).searchParams.get("post");
  });
  await test("the block is drawn in the editor, and saved", async () => {
    const page = site.php(`return wp_insert_post(["post_type" => "page", "post_title" => "Choir", "post_status" => "publish", "post_content" => '<!-- wp:tua-payments/item {"item":${id}} /-->']);`);
    await admin.goto(`${site.url}/wp-admin/post.php?post=${page}&action=edit`);
    const block = admin.locator("[data-type='tua-payments/item']");
    await block.getByText("Robe of the choir").first().waitFor();
    assert.equal(await admin.getByText("This block contains unexpected or invalid content").count(), 0);
    const text = await (await fetch(`${site.url}/?page_id=${page}`)).text();
    assert.match(text, /Pay GHS 18.00/);
  });
  await test("an item that is not published any more is not sold", async () => {
    site.php(`wp_update_post(["ID" => ${id}, "post_status" => "draft"]); return true;`);
    const form = { action: "tua_payments_begin", item: id, page: `${site.url}/choir/`, email: "ama@example.com" };
    const page = await visitor();
    await page.request.post(`${site.url}/wp-admin/admin-post.php`, { form });
    assert.equal(payment({ id }), null);
    await page.context().close();
  });
}

/** Pays for an item, and returns it with the page of its payment open. */
async function paidItem(number) {
  const item = addItem({});
  const page = await visitor();
  await page.goto(item.url);
  await press(page);
  await page.waitForURL(/\/pay\?key=/);
  await charge(tokenOf(page.url()), number);
  await page.context().close();
  const { id } = await untilState(item, "tua-paid");
  await admin.goto(`${site.url}/wp-admin/admin.php?page=tua-payments-payment&payment=${id}`);
  return item;
}

async function refund(amount) {
  await admin.reload();
  await admin.fill("[name=amount]", amount);
  await admin.fill("[name=reason]", "One of two was sold out");
  await admin.getByRole("button", { name: "Return the money" }).dblclick();
  await admin.locator(".notice-info").waitFor();
}

/** Asks until a refund of an item has this status. */
async function untilRefund(item, number, status) {
  await eventually(`the refund is ${status}`, async () => (await ask(), payment(item).refunds[number]?.status === status));
}

export async function refunds() {
  await test("half is returned, once for two clicks, and then the rest", async () => {
    const item = await paidItem();
    await refund("9.00");
    await untilRefund(item, 0, "SUCCESSFUL");
    const { transactionId } = payment(item);
    assert.equal((await call("GET", `/refunds?transactionId=${transactionId}`)).data.length, 1);
    assert.equal(payment(item).state, "tua-paid");
    await refund("9.01");
    assert.match(await admin.locator(".notice").first().innerText(), /More cannot be returned|newer refund/);
    await refund("9");
    await untilRefund(item, 1, "SUCCESSFUL");
    const { data } = await call("GET", `/refunds?transactionId=${transactionId}`);
    assert.deepEqual(data.map(({ amount }) => amount), [9, 9]);
    await untilState(item, "tua-refunded");
  });
  await test("a refund that fails returns nothing, and can be made again", async () => {
    const item = await paidItem("0241230021");
    await refund("18");
    await untilRefund(item, 0, "FAILED");
    await admin.reload();
    assert.match(await admin.locator(".wrap").innerText(), /no money was returned/);
    assert.equal(await admin.inputValue("[name=amount]"), "18.00");
  });
  await test("a refund is sent once, although its response was lost", async () => {
    const item = await paidItem();
    await service.withoutService(() => refund("18"));
    assert.equal(payment(item).refunds[0].status, "UNKNOWN");
    await untilRefund(item, 0, "SUCCESSFUL");
    assert.equal((await call("GET", `/refunds?transactionId=${payment(item).transactionId}`)).data.length, 1);
  });
  await test("a refund that the key may not make says why, and is sent by itself when the key is right", async () => {
    const item = await paidItem();
    const { key: readingKey } = service.run("key", "create", "--account", account.accountId, "--mode", "test", "--scope", "collect,read");
    storeSettings({ test_secret_key: readingKey });
    await refund("9");
    const text = await admin.locator(".wrap").innerText();
    assert.match(text, /The service does not accept the request now: .*Do not refund it again/);
    assert.ok(!text.includes(readingKey));
    assert.equal(payment(item).refunds[0].status, "UNKNOWN");
    storeSettings({ test_secret_key: key });
    await untilRefund(item, 0, "SUCCESSFUL");
    assert.equal((await call("GET", `/refunds?transactionId=${payment(item).transactionId}`)).data.length, 1);
  });
  await test("the list of payments is searched by reference and by e-mail", async () => {
    const item = await paidItem();
    await admin.goto(`${site.url}/wp-admin/edit.php?post_type=tua_payment&s=${payment(item).reference}`);
    assert.equal(await admin.locator("#the-list tr").count(), 1);
    await admin.locator("#the-list .row-title").click();
    assert.match(admin.url(), /page=tua-payments-payment/);
  });
  await test("a refund needs the nonce of its page", async () => {
    const item = await paidItem();
    const form = { action: "tua_payments_refund", payment: payment(item).id, number: "0", amount: "18" };
    assert.equal((await admin.request.post(`${site.url}/wp-admin/admin-post.php`, { form })).status(), 403);
    assert.deepEqual(payment(item).refunds, []);
  });
}

export async function links() {
  let item;
  let code;
  const payLink = async () => {
    const answer = await fetch(`${origin}/l/${code}`, { method: "POST", redirect: "manual", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "" });
    const url = new URL(answer.headers.get("location"), origin);
    await charge(tokenOf(url.href));
  };
  await test("a payment link is created with the item, and shown with its QR code", async () => {
    await admin.goto(`${site.url}/wp-admin/post-new.php?post_type=tua_item`);
    await admin.fill("#title", "Church roof");
    await admin.fill("#tua-amount", "10.50");
    await admin.selectOption("#tua-presentation", "link");
    await submit("#publish");
    const id = new URL(admin.url()).searchParams.get("post");
    item = { id, url: site.php(`return get_permalink(wp_insert_post(["post_type" => "page", "post_title" => "Roof", "post_status" => "publish", "post_content" => '[tua_payment item="${id}" button="Help"]']));`) };
    const page = await visitor();
    await page.goto(item.url);
    code = (await page.getByRole("link", { name: "Help" }).getAttribute("href")).split("/").pop();
    assert.ok(await page.locator(".tua-qr").evaluate((image) => image.complete && image.naturalWidth > 0));
    assert.deepEqual(await axe(page, ".tua-payments"), []);
    await page.context().close();
  });
  await test("each payment of the link is recorded once, by webhook", async () => {
    await payLink();
    await untilState(item, "tua-paid");
    await ask();
    assert.equal(payment(item).count, 1);
    assert.equal(payment(item).paid, 1);
    await payLink();
    await eventually("the second payment", async () => payment(item).count === 2);
  });
  await test("payments of the link are found by asking", async () => {
    removeWebhook();
    await payLink();
    await eventually("it is found", async () => (await ask(), payment(item).count === 3));
    await ask();
    assert.equal(payment(item).count, 3);
    addWebhook();
    storeWebhookSecret();
  });
  await test("another price closes the old link", async () => {
    await admin.goto(`${site.url}/wp-admin/post.php?post=${item.id}&action=edit`);
    await admin.fill("#tua-amount", "11");
    await submit("#publish");
    assert.equal((await fetch(`${origin}/l/${code}`)).status, 410);
    assert.match(await (await fetch(item.url)).text(), /\/l\//);
  });
}

export async function languages() {
  site.php(`update_option("WPLANG", "fr_FR"); return true;`);
  const item = addItem({});
  await test("payers and people read French", async () => {
    assert.match(await (await fetch(item.url)).text(), /Payer GHS 18.00[\s\S]*Mode test : aucun argent réel ne bouge/);
    await admin.goto(settingsUrl);
    assert.match(await admin.locator(".wrap").innerText(), /Adresse du service/);
  });
  await test("the block reads French in the editor", async () => {
    await admin.goto(`${site.url}/wp-admin/post-new.php?post_type=page`);
    const title = await admin.evaluate(() => window.wp.i18n.__("Choose an item", "tua-payments"));
    assert.equal(title, "Choisir un article");
  });
  site.php(`update_option("WPLANG", ""); return true;`);
}

/** What remains of people and secrets. */
export async function data() {
  await test("WordPress exports and erases what is held about a payer", () => {
    const [exported, erased, left] = site.php(`$tools = fn (string $filter): callable => apply_filters($filter, [])["tua-payments"]["callback"];
      $export = $tools("wp_privacy_personal_data_exporters"); $before = count($export("ama@example.com", 1)["data"]);
      $erase = $tools("wp_privacy_personal_data_erasers"); $result = $erase("ama@example.com", 1);
      return [$before, $result["items_removed"], TuaPayments\\Payments\\PaymentStore::query([TuaPayments\\Payments\\PurchaseState::Paid], [["key" => "_tua_email", "value" => "ama@example.com"]], -1)];`);
    assert.ok(exported > 5);
    assert.equal(erased, true);
    assert.deepEqual(left, []);
  });
  await test("the log has no secrets and no payers, and PHP had no complaint about the plug-in", () => {
    const log = site.log();
    assert.match(log, /tua-payments: .* is paid/);
    for (const secret of [key, webhook.secret, "ama@example.com", "0241234567", "tua_checkout_"]) assert.ok(!log.replaceAll("tua_checkout_…", "").includes(secret), secret);
    assert.deepEqual(log.split("\n").filter((line) => /^\[.*PHP .*(plugins\/tua-payments|<code>tua-payments)/.test(line)), []);
  });
  await test("deleting the plug-in deletes its secrets, and the records only if that was asked for", () => {
    const rows = (table, like) => Number(site.database.query(`SELECT COUNT(*) FROM wordpress.${table} WHERE ${like}`));
    site.php(`deactivate_plugins("tua-payments/tua-payments.php"); return true;`);
    const uninstall = `define("WP_UNINSTALL_PLUGIN", "tua-payments/tua-payments.php"); require WP_PLUGIN_DIR . "/tua-payments/uninstall.php"; return true;`;
    site.php(uninstall);
    assert.equal(rows("wp_options", "option_name = 'tua_payments'"), 0);
    assert.ok(rows("wp_posts", "post_type = 'tua_payment'") > 0);
    site.php(`update_option("tua_payments", ["delete_records" => "1"]); return true;`);
    site.php(uninstall);
    assert.equal(rows("wp_posts", "post_type IN ('tua_payment', 'tua_item')"), 0);
    assert.equal(rows("wp_options", "option_name LIKE '%tua_payments%' AND option_name NOT LIKE '\\\\_transient%'"), 0);
    assert.doesNotMatch(site.php(`return (string) json_encode(_get_cron_array());`), /tua_payments/);
  });
}
