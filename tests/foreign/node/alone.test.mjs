/*
 * The place of these tests has no other network: a client whose base URL is not replaced fails.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";

const require = createRequire(import.meta.url);

test("no name is resolved", () => assert.rejects(fetch("https://api.paystack.co/balance"), /fetch failed/));

test("clients with their own base URL fail", async () => {
  const Paystack = require("paystack-sdk");
  await assert.rejects(new Paystack("sk_test_x").transaction.list({}), /fetch failed/);
  const { create } = require("mtn-momo");
  const users = create({ callbackHost: "shop.example" }).Users({ primaryKey: "key" });
  await assert.rejects(users.create("shop.example"));
});
