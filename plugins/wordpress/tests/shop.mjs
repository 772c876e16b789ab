/*
 * The service in test mode, a site with the packed plug-in, and a browser: what all tests of the plug-in share.
 *
 *   TUA_BIN=target/debug/tua NODE_PATH=<folder with playwright-core and axe-core> node wordpress.mjs WORDPRESS CHROMIUM
 *
 * WORDPRESS is a folder of WordPress's files with the theme twentytwentythree and French translations.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually, startService } from "../../../tests/service.mjs";
import { PASSWORD, startSite } from "./site.mjs";

const [wordpress, chromiumPath] = process.argv.slice(2);
const require = createRequire(join(process.env.NODE_PATH ?? process.cwd(), "node_modules", "plugins.cjs"));
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const plugin = fileURLToPath(new URL("..", import.meta.url));
const zip = join(mkdtempSync(join(tmpdir(), "tua-plugin-")), "tua-payments.zip");
execFileSync("php", [join(plugin, "scripts/pack.php"), zip]);

export const service = await startService(20);
export const origin = `http://127.0.0.1:${service.port}`;
export const account = service.run("account", "create", "--name", "Adom Stores");
export const key = account.keys.testV2;
export const site = await startSite(wordpress, zip);
export const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--font-render-hinting=none"] });

const webhookUrl = `${site.url}/wp-json/tua-payments/v1/webhook`;
export const webhook = { endpointId: null, secret: null };

/** Adds the site's webhook to the account. */
export function addWebhook() {
  Object.assign(webhook, service.run("webhook", "add", "--account", account.accountId, "--mode", "test", "--url", webhookUrl));
}

/** From now on no webhook arrives. */
export function removeWebhook() {
  service.run("webhook", "remove", webhook.endpointId);
}

/** The deliveries of a type, newest first. */
export const deliveries = (type) => service.run("webhook", "deliveries", "--endpoint", webhook.endpointId).filter((delivery) => delivery.type === type);

/** Stores fields of the settings, as the settings page does. */
export const storeSettings = (fields) =>
  site.php(`$form = new TuaPayments\\Settings\\SettingsForm(); $sent = json_decode('${JSON.stringify({ mode: "test", service_url: origin, ...fields })}', true);
    update_option("tua_payments", $form->read(TuaPayments\\Settings\\Settings::all(), $sent)); return $form->faults;`);

/** Stores the secret of the webhook that was added last. */
export const storeWebhookSecret = () => storeSettings({ test_webhook_secret: webhook.secret });

/** A request of a merchant's server, or of a payer's page. */
export async function call(method, path, body, credential = key) {
  const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const answer = await fetch(`${origin}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
  return json;
}

/** Pays with a checkout's token. The last four digits of the number select the outcome. */
export const charge = (token, phoneNumber = "0241234567") => call("POST", "/charge", { phoneNumber, network: "MTN" }, token);

/** The token in the address of the hosted page. */
export const tokenOf = (url) => new URL(url).searchParams.get("key");

/** A browser of one visitor. */
export async function visitor(options = {}) {
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1000, height: 800 }, ...options });
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

/** A browser in which the administrator of the site is signed in. */
export async function administrator() {
  const page = await visitor();
  await page.goto(`${site.url}/wp-login.php`);
  await page.fill("#user_login", "admin");
  await page.fill("#user_pass", PASSWORD);
  await page.click("#wp-submit");
  await page.waitForURL(/wp-admin/);
  return page;
}

/** An item and a page that shows it. */
export function addItem(values) {
  const meta = { kind: "sale", presentation: "hosted", amount: "18.00", ...values };
  const id = site.php(`$id = wp_insert_post(["post_type" => "tua_item", "post_title" => "Kente scarf", "post_status" => "publish"]);
    (new TuaPayments\\Items\\Item($id))->save(json_decode('${JSON.stringify(meta)}', true)); return $id;`);
  const link = site.php(`return get_permalink(wp_insert_post(["post_type" => "page", "post_title" => "Kente scarves", "post_status" => "publish", "post_content" => '[tua_payment item="${id}"]']));`);
  return { id, url: link };
}

/** Fills in the form of a page, and presses its button. */
export async function press(page, { email = "ama@example.com", amount } = {}) {
  if (amount !== undefined) await page.fill(".tua-payments [name=amount]", amount);
  await page.fill(".tua-payments [name=email]", email);
  await page.click(".tua-payments [type=submit]");
}

/** The newest payment of an item: its status, its values, and how often other code heard that it is paid. */
export const payment = (item) =>
  site.php(`$payments = TuaPayments\\Payments\\PaymentStore::query(TuaPayments\\Payments\\PurchaseState::cases(), [["key" => "_tua_item", "value" => "${item.id}"]], -1);
    if ($payments === []) { return null; } $payment = end($payments);
    return ["id" => $payment->id, "count" => count($payments), "state" => $payment->state()->value, "amount" => $payment->amount(), "reference" => $payment->reference(),
      "checkoutId" => $payment->checkoutId(), "transactionId" => $payment->transactionId(), "flags" => $payment->flags(),
      "refunds" => TuaPayments\\Payments\\Refunds::of($payment), "paid" => count(get_post_meta($payment->id, "test_paid"))];`);

export const untilState = (item, state) => eventually(`the payment is ${state}`, async () => payment(item)?.state === state && payment(item));

/** Lets WP-Cron ask about everything now. */
export async function ask() {
  site.database.query(`UPDATE wordpress.wp_postmeta SET meta_value = '0' WHERE meta_key = '_tua_ask_at'`);
  site.php(`wp_clear_scheduled_hook("tua_payments_check"); wp_schedule_event(time() - 1, "tua_payments_minute", "tua_payments_check"); return true;`);
  await site.cron();
}

/** What axe finds in the plug-in's part of a page. */
export async function axe(page, selector) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((selector) => window.axe.run(selector, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] }), selector);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id} at ${node.target.join(" ")}`));
}

export async function stop() {
  await browser.close();
  await site.stop();
  service.stop();
  rmSync(dirname(zip), { recursive: true });
}

/** What a page must never read while it is not known whether the money moved. */
export function assertHarmless(text) {
  assert.match(text, /do not pay again/);
  assert.doesNotMatch(text, /no money moved|try again|not paid|failed/i);
}
