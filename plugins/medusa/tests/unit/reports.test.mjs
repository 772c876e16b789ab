/* What people are told about money that the shop did not expect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stubService } from "../../../support/stub-service.mjs";
import { answersAbout, chargeOf, conflict, createProvider, failedCharge, paidCheckout, sessionData } from "./provider.mjs";

const PAID = { data: sessionData({ transaction_id: "txn_1" }), payment: { id: "pay_1" } };

test("a second charge that pays the same checkout is reported", async () => {
  stubService({});
  const { receive, reports } = createProvider(PAID);
  await receive("charge.successful", chargeOf("txn_1"));
  assert.deepEqual(reports, []);
  await receive("charge.successful", chargeOf("txn_2"));
  assert.deepEqual(
    reports.map(({ key, title }) => [key, title]),
    [["twice-txn_2", "A cart was paid twice"]],
  );
  assert.match(reports[0].description, /charge txn_2 .* charge txn_1/);
});

test("a failed charge that its operator reports as paid is a second payment too", async () => {
  stubService({});
  const { receive, reports } = createProvider(PAID);
  await receive("charge.conflict", failedCharge("txn_2", { conflict: conflict("SUCCESSFUL") }));
  await receive("charge.conflict", chargeOf("txn_1", { conflict: conflict("FAILED") }));
  assert.deepEqual(
    reports.map(({ title }) => title),
    ["A cart was paid twice", "An operator contradicts a payment"],
  );
});

test("charges of another program of the account are not reported", async () => {
  stubService({});
  const { receive, reports } = createProvider(PAID);
  const changes = { reference: "order-17", metadata: { order: 17 }, conflict: conflict("FAILED") };
  await receive("charge.conflict", chargeOf("txn_9", changes));
  await receive("charge.successful", chargeOf("txn_9", changes));
  assert.deepEqual(reports, []);
});

test("the charge that is named is the one that paid", async () => {
  const charge = failedCharge("txn_1", { conflict: conflict("SUCCESSFUL"), refundableAmount: 18 });
  const checkout = paidCheckout(charge, { transaction: failedCharge("txn_2") });
  stubService(answersAbout(checkout));
  const { receive, reports } = createProvider();
  await receive("checkout.paid", checkout);
  assert.deepEqual(
    reports.map(({ title }) => title),
    ["A payment without a cart"],
  );
  assert.match(reports[0].description, /Refund charge txn_1 /);
});

test("money for an earlier checkout of a session is reported, because it completes no cart", async () => {
  stubService(answersAbout(paidCheckout(chargeOf("txn_1"))));
  const { receive, reports } = createProvider({ data: sessionData({ checkout_id: "chk_2", amount: "20.00" }) });
  const { action } = await receive("checkout.paid", paidCheckout(chargeOf("txn_1")));
  assert.equal(action, "not_supported");
  assert.deepEqual(
    reports.map(({ title }) => title),
    ["A payment of an earlier checkout"],
  );
});
