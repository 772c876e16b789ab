/*
 * The client `@alexasomba/paystack-node`, which is generated from Paystack's OpenAPI document.
 */
import * as client from "@alexasomba/paystack-node";
import assert from "node:assert/strict";
import test from "node:test";
import { eventually, paystack } from "./emulator.mjs";

const api = client.createPaystackClient({ secretKey: paystack["secret-key"], baseUrl: paystack["base-url"] });
/** The data of a successful answer. */
const data = async (call) => client.assertOk(await call).data;

test("a charge succeeds", async () => {
  const mobile_money = { phone: "0241234567", provider: "mtn" };
  const body = { email: "ama@example.com", amount: 1250, reference: "node-1", mobile_money };
  assert.equal((await data(client.charge_create(api, { body }))).status, "pay_offline");
  const verify = () => data(client.transaction_verify(api, { params: { path: { reference: "node-1" } } }));
  const paid = await eventually(verify, (read) => read.status !== "pending");
  assert.equal(paid.status, "success");
  const fetched = await data(client.transaction_fetch(api, { params: { path: { id: paid.id } } }));
  assert.equal(fetched.reference, "node-1");
});

test("a voucher is submitted", async () => {
  const mobile_money = { phone: "0501234567", provider: "vod" };
  const body = { email: "ama@example.com", amount: 1250, reference: "node-2", mobile_money };
  assert.equal((await data(client.charge_create(api, { body }))).status, "send_otp");
  const submitted = await data(client.charge_submitOtp(api, { body: { otp: "123456", reference: "node-2" } }));
  assert.deepEqual([submitted.amount, submitted.channel], [1250, "mobile_money"]);
});

test("a transfer succeeds and is listed", async () => {
  const wallet = { type: "mobile_money", name: "Ama", account_number: "0241234567", bank_code: "MTN" };
  const recipient = await data(client.transferrecipient_create(api, { body: wallet }));
  assert.equal(typeof recipient.description, "string");
  const reference = "node-transfer-0000001";
  const body = { source: "balance", amount: 500, recipient: recipient.recipient_code, reference };
  assert.equal((await data(client.transfer_initiate(api, { body }))).recipient, recipient.id);
  const verify = () => data(client.transfer_verify(api, { params: { path: { reference } } }));
  assert.equal((await eventually(verify, (read) => read.status !== "pending")).status, "success");
  const list = client.assertOk(await client.transfer_list(api, { params: { query: { perPage: 10 } } }));
  assert.ok(list.meta.total >= 1 && list.data.some((transfer) => transfer.reference === reference));
  const recipients = client.assertOk(await client.transferrecipient_list(api));
  assert.ok(recipients.meta.total >= 1);
});

test("a transaction is initialized and a customer is known", async () => {
  const body = { email: "kofi@example.com", amount: 500, reference: "node-3" };
  assert.match((await data(client.transaction_initialize(api, { body }))).authorization_url, /^http:/);
  const customer = await data(client.customer_fetch(api, { params: { path: { code: "kofi@example.com" } } }));
  assert.equal(customer.total_transactions, 1);
  assert.ok((await data(client.customer_list(api))).length >= 1);
  assert.equal((await data(client.balance_fetch(api)))[0].currency, "GHS");
});

test("a mistake is an error with Paystack's body", async () => {
  const { error, response } = await client.charge_create(api, { body: { amount: 1 } });
  assert.deepEqual([response.status, error.status, error.type], [400, false, "validation_error"]);
  const unknown = await client.transaction_totals(api);
  assert.deepEqual([unknown.response.status, unknown.error.status], [400, false]);
});
