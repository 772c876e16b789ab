/*
 * The client `paystack-sdk`. It takes no base URL, so `fetch` replaces that of Paystack.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";
import { eventually, paystack } from "./emulator.mjs";

const send = globalThis.fetch;
globalThis.fetch = (url, init) => send(url.replace("https://api.paystack.co", paystack["base-url"]), init);
const Paystack = createRequire(import.meta.url)("paystack-sdk");
const client = new Paystack(paystack["secret-key"]);

test("a charge succeeds", async () => {
  const mobile_money = { phone: "0241234567", provider: "mtn" };
  const begun = await client.charge.create({ email: "ama@example.com", amount: "1250", reference: "sdk-1", mobile_money });
  assert.equal(begun.data.status, "pay_offline");
  const paid = await eventually(() => client.transaction.verify("sdk-1"), ({ data }) => data.status !== "pending");
  assert.equal(paid.data.status, "success");
  assert.equal((await client.transaction.fetch(paid.data.id)).data.reference, "sdk-1");
  assert.ok((await client.transaction.list({ perPage: 5 })).meta.total >= 1);
});

test("a transaction is initialized", async () => {
  const begun = await client.transaction.initialize({ email: "ama@example.com", amount: "500" });
  assert.ok(begun.data.access_code && begun.data.reference);
});

test("a transfer without a reference succeeds", async () => {
  const wallet = { type: "mobile_money", name: "Ama", account_number: "0241234567", bank_code: "MTN", currency: "GHS" };
  const recipient = await client.recipient.create(wallet);
  const begun = await client.transfer.initiate({ source: "balance", amount: 500, recipient: recipient.data.recipient_code });
  const fetched = await eventually(() => client.transfer.fetch(begun.data.transfer_code), ({ data }) => data.status !== "pending");
  assert.deepEqual([fetched.data.status, fetched.data.recipient.id], ["success", begun.data.recipient]);
  assert.ok((await client.transfer.list({ perPage: 5, page: 1 })).meta.total >= 1);
  assert.equal((await client.recipient.fetch(recipient.data.id)).data.name, "Ama");
});

test("a customer is created and updated", async () => {
  const { data } = await client.customer.create({ email: "abena@example.com", first_name: "Abena", last_name: "A" });
  assert.equal((await client.customer.update(data.customer_code, { phone: "0241" })).data.phone, "0241");
  assert.equal((await client.customer.fetch("abena@example.com")).data.first_name, "Abena");
});

test("a mistake is an error with Paystack's body", () =>
  assert.rejects(client.transaction.verify("unknown"), ({ status, body }) => status === 404 && body.status === false));
