/*
 * The gateway in the real WooCommerce, with the real service, in a browser. WooCommerce is on no registry, so this is no stage of
 * `cargo xtask test`: run it with the files of WooCommerce's release, and of a WordPress that it accepts.
 *
 *   TUA_BIN=… NODE_PATH=… node --test-reporter=spec woocommerce.mjs WORDPRESS CHROMIUM WOOCOMMERCE
 */
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { TIMEOUT_MS } from "../../../tests/check.mjs";
import { addWebhook, key, stop, storeSettings, webhook } from "./shop.mjs";
import * as shoppers from "./shoppers.mjs";
import { installWooCommerce, keepOrdersInPosts } from "./store.mjs";

const { checkoutBlock, classicCheckout, administration, orders, refunds, log } = shoppers;
const JOURNEYS = { administration, checkoutBlock, classicCheckout, orders, refunds };

test("WooCommerce is installed", { timeout: TIMEOUT_MS }, () => {
  installWooCommerce(process.argv[4]);
  addWebhook();
  storeSettings({ test_secret_key: key, test_webhook_secret: webhook.secret });
});
for (const [name, journey] of Object.entries(JOURNEYS)) test(name, { timeout: TIMEOUT_MS }, journey);
test("orders in WordPress's posts", { timeout: TIMEOUT_MS }, async () => {
  keepOrdersInPosts();
  await orders();
  await refunds();
});
test("log", { timeout: TIMEOUT_MS }, log);
after(stop);
