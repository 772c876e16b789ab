// What the package offers to the tests of a shop.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { isCheckoutEvent, isRefundEvent, isTransactionEvent, Tua, TuaUsageError, Webhook } from "@tua-pay/node";
import { tuaWebhook } from "@tua-pay/node/express";
import { exampleEvent, signDelivery, startTestService } from "@tua-pay/node/testing";

const secret = `whsec_${Buffer.alloc(32, "t").toString("base64")}`;

describe("the tests of a shop", () => {
  test("every example is a delivery that is verified", () => {
    const webhook = new Webhook({ secrets: secret });
    for (const type of ["checkout.paid", "charge.failed", "refund.successful", "payout.reversed", "ping"]) {
      const { body, headers } = signDelivery(secret, type);
      assert.equal(webhook.verify(body, headers).type, type);
    }
    const paid = exampleEvent("checkout.paid");
    paid.data.reference = "order-18";
    const { body, headers } = signDelivery(secret, paid);
    assert.equal(webhook.verify(body, headers).data.reference, "order-18");
    assert.throws(() => exampleEvent("checkout.sung"), TuaUsageError);
  });

  test("the data of an event is told by its type", () => {
    const webhook = new Webhook({ secrets: secret });
    const guards = [isCheckoutEvent, isTransactionEvent, isRefundEvent];
    const read = (event) => {
      const { body, headers } = signDelivery(secret, event);
      return webhook.verify(body, headers);
    };
    const cases = { "checkout.paid": 0, "checkout.opened": 0, "charge.failed": 1, "payout.reversed": 1, "refund.failed": 2, ping: -1 };
    for (const [type, right] of Object.entries(cases)) {
      assert.deepEqual(guards.map((guard) => guard(read(type))), [0, 1, 2].map((index) => index === right), type);
    }
    const later = read({ ...exampleEvent("checkout.paid"), type: "checkout.later" });
    assert.deepEqual([later.type, later.originalType], ["unknown", "checkout.later"]);
    assert.ok(!guards.some((guard) => guard(later)), "its data may have another shape");
  });

  test("a program that is not there is an error", async () => {
    await assert.rejects(startTestService({ program: "/no/such/program" }), TuaUsageError);
  });

  test("a TUA_BIN that is empty counts as unset", async () => {
    const { TUA_BIN: program, PATH: path } = process.env;
    Object.assign(process.env, { TUA_BIN: "", PATH: "/no/such/folder" });
    try {
      await assert.rejects(startTestService(), { name: "TuaUsageError", message: /^tua does not start/ });
    } finally {
      process.env.PATH = path;
      if (program === undefined) delete process.env.TUA_BIN;
      else process.env.TUA_BIN = program;
    }
  });

  test("a service is started with one call", { skip: process.env.TUA_BIN ? false : "TUA_BIN is not set" }, async () => {
    const service = await startTestService();
    const events = [];
    let receive;
    const shop = createServer((request, response) => receive(request, response)).listen(0, "127.0.0.1");
    await new Promise((listening) => shop.once("listening", listening));
    try {
      const webhook = new Webhook({ secrets: await service.addWebhook(`http://127.0.0.1:${shop.address().port}/`) });
      receive = tuaWebhook(webhook, (event) => void events.push(event.type));
      const tua = new Tua(service);
      const charge = await tua.charges.create({ amount: "18.00", phoneNumber: "0241234567", network: "MTN" });
      assert.equal((await tua.transactions.wait(charge.transactionId)).status, "SUCCESSFUL");
      for (let attempt = 0; attempt < 100 && !events.includes("charge.successful"); attempt += 1) {
        await new Promise((later) => setTimeout(later, 50));
      }
      assert.ok(events.includes("charge.successful"));
    } finally {
      shop.close();
      shop.closeAllConnections();
      await service.stop();
    }
  });
});
