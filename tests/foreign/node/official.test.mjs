/*
 * Paystack's own client, `@paystack/paystack-sdk`. It takes no base URL and speaks HTTPS alone, so `https.request` is
 * replaced. It sends JSON without a content type, and reads every answer as JSON, whatever its status.
 */
import assert from "node:assert/strict";
import http from "node:http";
import { createRequire } from "node:module";
import test from "node:test";
import { eventually, paystack } from "./emulator.mjs";

const require = createRequire(import.meta.url);
const base = new URL(paystack["base-url"]);
require("node:https").request = (url, options, answer) => {
  assert.equal(url, "https://api.paystack.co");
  return http.request(base, { ...options, path: base.pathname + options.path }, answer);
};
const Paystack = require("@paystack/paystack-sdk");
const client = new Paystack(paystack["secret-key"]);

test("a charge succeeds", async () => {
  const mobile_money = { phone: "0501234567", provider: "vod" };
  const begun = await client.charge.create({ email: "ama@example.com", amount: 1250, reference: "official-1", mobile_money });
  assert.equal(begun.data.status, "send_otp");
  const submitted = await client.charge.submitOtp({ otp: "123456", reference: "official-1" });
  assert.equal(submitted.data.status, "pending");
  const verify = () => client.transaction.verify({ reference: "official-1" });
  const paid = await eventually(verify, ({ data }) => data.status !== "pending");
  assert.equal(paid.data.status, "success");
  assert.equal((await client.transaction.fetch({ id: paid.data.id })).data.reference, "official-1");
  assert.equal((await client.refund.create({ transaction: "official-1", amount: 250 })).data.amount, 250);
});

test("a transaction is initialized", async () => {
  const begun = await client.transaction.initialize({ email: "ama@example.com", amount: 500 });
  assert.match(begun.data.authorization_url, /checkout/);
  assert.ok((await client.transaction.list({})).status);
});

test("a transfer without a reference succeeds", async () => {
  const wallet = { type: "mobile_money", name: "Ama", account_number: "0241234567", bank_code: "MTN", currency: "GHS" };
  const recipient = await client.transferrecipient.create(wallet);
  const code = recipient.data.recipient_code;
  const begun = await client.transfer.initiate({ source: "balance", amount: 500, recipient: code });
  assert.equal(begun.data.recipient, recipient.data.id);
  const verify = () => client.transfer.verify({ reference: begun.data.reference });
  assert.equal((await eventually(verify, ({ data }) => data.status !== "pending")).data.status, "success");
  assert.ok((await client.transfer.list({ perPage: 5 })).status);
  assert.ok((await client.transferrecipient.list({ perPage: 5 })).status);
});

test("a customer and the balance are read", async () => {
  const { data } = await client.customer.create({ email: "yaw@example.com", first_name: "Yaw" });
  assert.equal((await client.customer.fetch({ code: data.customer_code })).data.email, "yaw@example.com");
  assert.equal((await client.balance.fetch()).data[0].currency, "GHS");
});

test("every mistake is JSON", async () => {
  assert.equal((await client.charge.create({})).status, false);
  assert.equal((await client.transaction.totals({})).status, false);
  assert.equal((await client.transfer.verify({ reference: "unknown" })).status, false);
  assert.equal((await client.bulkcharge.list({})).status, false);
});
