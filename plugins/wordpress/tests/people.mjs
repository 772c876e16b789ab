/*
 * What the people of the site do: they enter keys, add items and blocks, and refund.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { account, addItem, addWebhook, administrator, call, charge, deliveries, key, origin, payment, press, service, site, tokenOf, untilState, visitor, webhook } from "./shop.mjs";

let admin;
const settingsUrl = `${site.url}/wp-admin/admin.php?page=tua-payments-settings`;

export async function settings() {
  admin = await administrator();
  addWebhook();
  await test("a wrong key is refused in a sentence", async () => {
    await admin.goto(settingsUrl);
    await admin.fill("#tua-service", origin);
    await admin.fill("#tua-test_secret_key", "tua_checkout_abc");
    await admin.click("#submit");
    assert.match(await admin.locator(".notice-error").innerText(), /begins with tua_test_v2_/);
  });
  await test("the key and the secret are stored, and no page shows them", async () => {
    await admin.fill("#tua-test_secret_key", key);
    await admin.fill("#tua-test_webhook_secret", webhook.secret);
    await admin.click("#submit");
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
    await admin.getByRole("button", { name: "Check the connection" }).click();
    const texts = (await admin.locator(".notice p").allInnerTexts()).join(" ");
    assert.match(texts, /accepts the test key/);
    assert.match(texts, /webhook address can be reached/);
    assert.match(texts, /last webhook arrived/);
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
