// The package against the real service: TUA_BIN is its binary.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { fromPesewas, Tua, TuaApiError, Webhook } from "@tua-pay/node";

const file = fileURLToPath(new URL("../../conformance/service.mjs", import.meta.url));
const wallet = { phoneNumber: "0241234567", network: "MTN" };

describe("the real service", { skip: process.env.TUA_BIN ? false : "TUA_BIN is not set" }, () => {
  let child;
  let service;
  let tua;

  before(async () => {
    child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] });
    service = JSON.parse((await once(createInterface(child.stdout), "line"))[0]);
    tua = new Tua({ secretKey: service.secretKey, baseUrl: service.baseUrl });
  });
  after(async () => {
    const ended = once(child, "exit");
    child.stdin.end();
    await ended;
  });

  test("a charge is paid, and a part of it is refunded", async () => {
    const charge = await tua.charges.create({ ...wallet, amount: "18.00", reference: "order-17" });
    assert.equal(charge.status, "PENDING");
    assert.equal(charge.nextAction, "APPROVE_ON_PHONE");
    const paid = await tua.transactions.wait(charge.transactionId);
    assert.deepEqual([paid.status, paid.amount, paid.reference], ["SUCCESSFUL", "18.00", "order-17"]);
    const { refundId } = await tua.refunds.create({ transactionId: charge.transactionId, amount: "4.20" });
    assert.equal((await tua.refunds.wait(refundId)).status, "SUCCESSFUL");
    const { refundedAmount, refundableAmount } = await tua.transactions.get(charge.transactionId);
    assert.deepEqual([refundedAmount, refundableAmount], ["4.20", "13.80"]);
    assert.equal((await tua.refunds.list({ transactionId: charge.transactionId }).toArray()).length, 1);
  });

  test("a charge of a poor wallet fails with a reason", async () => {
    const charge = await tua.charges.create({ amount: "1.00", network: "MTN", phoneNumber: "0241230001" });
    const ended = await tua.transactions.wait(charge.transactionId);
    assert.deepEqual([ended.status, ended.failure?.code], ["FAILED", "insufficient_funds"]);
  });

  test("a charge that nobody approves stays PENDING", async () => {
    const charge = await tua.charges.create({ amount: "1.00", network: "MTN", phoneNumber: "0241230007" });
    assert.equal((await tua.transactions.wait(charge.transactionId, { timeout: 1_500 })).status, "PENDING");
  });

  test("a voucher is submitted", async () => {
    const charge = await tua.charges.create({ amount: "1.00", network: "TELECEL", phoneNumber: "0201234567" });
    assert.equal(charge.nextAction, "ENTER_VOUCHER");
    const wrong = await tua.charges.submitCode({ transactionId: charge.transactionId, otp: "654321" });
    assert.deepEqual([wrong.status, wrong.codeAttemptsLeft], ["PENDING", 4]);
    await tua.charges.submitCode({ transactionId: charge.transactionId, otp: "123456" });
    assert.equal((await tua.transactions.wait(charge.transactionId)).status, "SUCCESSFUL");
  });

  test("the same key begins one payment", async () => {
    const request = { ...wallet, amount: "2.00", reference: "order-18" };
    const options = { idempotencyKey: "order-18-1" };
    const [one, two] = await Promise.all([tua.charges.create(request, options), tua.charges.create(request, options)]);
    assert.equal(one.transactionId, two.transactionId);
    const other = tua.charges.create({ ...request, amount: "3.00" }, options);
    await assert.rejects(other, (error) => {
      assert.ok(error instanceof TuaApiError);
      assert.deepEqual([error.code, error.outcomeUnknown], ["idempotency_key_reused", true], "the other request was accepted");
      return true;
    });
  });

  test("lost responses begin nothing twice", async () => {
    const faulty = new Tua({ secretKey: service.secretKey, baseUrl: service.faultyBaseUrl });
    const charge = await faulty.charges.create({ ...wallet, amount: "2.00", reference: "lost-charge" });
    const payout = await faulty.payouts.create({ ...wallet, amount: "2.00", reference: "lost-payout" });
    const batch = await faulty.payouts.createBatch({ payouts: [{ ...wallet, amount: "2.00" }], reference: "lost-batch" });
    for (const { reference, transactionId } of [charge, payout, batch.payouts[0]]) {
      const found = await tua.transactions.list({ reference }).toArray();
      assert.deepEqual(found.map((transaction) => transaction.transactionId), [transactionId]);
    }
    assert.equal((await faulty.transactions.wait(charge.transactionId)).status, "SUCCESSFUL");
    const refund = await faulty.refunds.create({ transactionId: charge.transactionId, amount: "1.00" });
    const refunds = await tua.refunds.list({ transactionId: charge.transactionId }).toArray();
    assert.deepEqual(refunds.map(({ refundId }) => refundId), [refund.refundId]);
  });

  test("every amount from 0.01 to 1.00 is quoted as it is sent", async () => {
    for (let pesewas = 1; pesewas <= 100; pesewas += 1) {
      const quote = await tua.quotes.create({ type: "CHARGE", amount: fromPesewas(pesewas), network: "MTN" });
      assert.equal(quote.amount, fromPesewas(pesewas));
    }
  });

  test("a checkout is opened, hidden from logs, paid by its token and closed", async () => {
    const opened = await tua.checkouts.create({ amount: "10.50", email: "ama@example.com", metadata: { order: 19 } });
    const { inspect } = await import("node:util");
    assert.ok(!inspect(opened).includes(opened.checkoutToken));
    assert.ok(JSON.stringify(opened).includes(opened.checkoutToken));
    const headers = { authorization: `Bearer ${opened.checkoutToken}`, "content-type": "application/json" };
    await fetch(`${service.baseUrl}/charge`, { method: "POST", headers, body: JSON.stringify(wallet) });
    const paid = await tua.checkouts.wait(opened.checkoutId);
    assert.deepEqual([paid.status, paid.amount, paid.metadata], ["PAID", "10.50", { order: 19 }]);
    const second = await tua.checkouts.create({ amount: "1.00", email: "ama@example.com" });
    assert.equal((await tua.checkouts.close(second.checkoutId)).status, "CLOSED");
  });

  test("payouts, batches, links and networks", async () => {
    const payout = await tua.payouts.create({ ...wallet, amount: "5.00" });
    assert.equal((await tua.transactions.wait(payout.transactionId)).status, "SUCCESSFUL");
    await assert.rejects(tua.payouts.cancel(payout.transactionId), (error) => error.code === "not_cancellable");
    const batch = await tua.payouts.createBatch({ payouts: [{ ...wallet, amount: "0.29" }, { ...wallet, amount: "1.00" }] });
    assert.deepEqual([batch.total, batch.count], ["1.29", 2]);
    assert.equal((await tua.payouts.getBatch(batch.batchId)).batchId, batch.batchId);
    const link = await tua.links.create({ title: "Adom choir: robe", amount: "10.50" });
    assert.equal((await tua.links.close(link.linkId)).status, "CLOSED");
    assert.equal((await tua.links.reopen(link.linkId)).status, "OPEN");
    assert.ok((await tua.links.list().toArray()).some(({ linkId }) => linkId === link.linkId));
    assert.deepEqual((await tua.networks.get()).map(({ network }) => network), ["MTN", "TELECEL", "AIRTELTIGO"]);
  });

  test("pages are read to the end", async () => {
    const references = new Set();
    for (let number = 0; number < 5; number += 1) {
      await tua.charges.create({ ...wallet, amount: "1.00", reference: "many" });
    }
    for await (const { transactionId } of tua.transactions.list({ reference: "many", pageSize: 2 })) references.add(transactionId);
    assert.equal(references.size, 5);
  });

  test("faults are reported with their pointers", async () => {
    const refused = tua.charges.create({ amount: "0.00", network: "MTN", phoneNumber: "123" });
    await assert.rejects(refused, (error) => {
      assert.deepEqual(error.errors.map(({ pointer }) => pointer).sort(), ["/amount", "/phoneNumber"]);
      return error.code === "validation_failed" && error.requestId !== undefined && !error.outcomeUnknown;
    });
  });

  test("events are listed, read and followed", async () => {
    await tua.events.list({ pageSize: 1 }).page(); // begins the record
    const { transactionId } = await tua.charges.create({ ...wallet, amount: "2.00" });
    const followed = [];
    for await (const event of tua.events.follow({ transactionId, waitSeconds: 5 })) {
      followed.push(event);
      if (event.type === "charge.successful") break;
    }
    assert.deepEqual([followed[0].type, followed.at(-1).data.amount], ["charge.pending", "2.00"]);
    const ids = (events) => events.map(({ id }) => id);
    assert.deepEqual(ids(await tua.events.list({ transactionId, pageSize: 1 }).toArray()), ids(followed).reverse());
    assert.deepEqual(await tua.events.get(followed[0].id), followed[0]);
    const [last] = await tua.events.list({ transactionId, type: ["charge.successful"] }).toArray();
    assert.deepEqual(last, followed.at(-1));
    const unknown = tua.events.follow({ after: "msg_none" }).next();
    await assert.rejects(unknown, (error) => error.code === "invalid_parameter");
  });

  test("a webhook endpoint is added, rotated, disabled, enabled and removed", async () => {
    const { webhookEndpoints } = tua;
    const faulty = new Tua({ secretKey: service.secretKey, baseUrl: service.faultyBaseUrl }).webhookEndpoints;
    const added = await webhookEndpoints.create({ url: "http://127.0.0.1:9/hooks" });
    assert.match(added.secret, /^whsec_/);
    const again = await faulty.create({ url: "http://127.0.0.1:9/again" });
    assert.equal(again.secret, null);
    const rotated = await webhookEndpoints.rotate(added.endpointId, { overlapHours: 1 });
    assert.notEqual(rotated.secret, added.secret);
    assert.ok(rotated.oldSecretUntil > rotated.createdAt);
    assert.equal((await webhookEndpoints.disable(added.endpointId)).status, "DISABLED");
    const { transactionId } = await tua.charges.create({ ...wallet, amount: "1.00" });
    await tua.transactions.wait(transactionId);
    const enabled = await webhookEndpoints.enable(added.endpointId, { resend: true });
    assert.equal(enabled.status, "ENABLED");
    assert.ok(enabled.recordedEvents >= 2);
    assert.equal((await webhookEndpoints.remove(added.endpointId)).status, "REMOVED");
    await assert.rejects(faulty.remove(again.endpointId), (error) => error.code === "not_found" && error.outcomeUnknown);
    const left = await webhookEndpoints.list({ pageSize: 1 }).toArray();
    assert.ok(left.every(({ endpointId }) => endpointId !== added.endpointId && endpointId !== again.endpointId));
    assert.ok(left.length > 0);
  });

  test("an advance of the clock ends a checkout", async () => {
    const { checkoutId } = await tua.checkouts.create({ amount: "1.00", email: "ama@example.com" });
    const { seconds, due } = await tua.sandbox.advanceClock(31 * 60);
    assert.equal(seconds, 1_860);
    assert.ok(due.checkouts >= 1);
    assert.equal((await tua.checkouts.wait(checkoutId, { timeout: 20_000 })).status, "EXPIRED");
  });

  test("its webhooks are verified", async () => {
    const webhook = new Webhook({ secrets: service.webhookSecret });
    const deadline = Date.now() + 15_000;
    let types = new Set();
    while (!types.has("checkout.paid") && Date.now() < deadline) {
      const deliveries = await (await fetch(service.deliveriesUrl)).json();
      types = new Set(deliveries.map(({ headers, body }) => webhook.verify(Buffer.from(body, "base64"), headers).type));
      await new Promise((later) => setTimeout(later, 200));
    }
    for (const type of ["checkout.opened", "checkout.paid", "charge.successful", "charge.failed", "refund.successful", "payout.successful"]) {
      assert.ok(types.has(type), `${type} of ${[...types]}`);
    }
  });
});
