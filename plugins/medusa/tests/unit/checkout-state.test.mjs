/* What Medusa does about a checkout that is paid, by its charges and their refunds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionBroke, problem, stubService } from "../../../support/stub-service.mjs";
import {
  answersAbout,
  CHECKOUT,
  chargeOf,
  conflict,
  createProvider,
  failedCharge,
  paidCheckout,
  refundOf,
  sessionData,
} from "./provider.mjs";

const pendingCharge = (id) => chargeOf(id, { status: "PENDING", refundableAmount: 0 });
const latePaid = (id, changes) => failedCharge(id, { conflict: conflict("SUCCESSFUL"), refundableAmount: 18, ...changes });
const PAID_LATE = paidCheckout(latePaid("txn_1"), { transaction: failedCharge("txn_2") });

/** What Medusa does, and the charge that it stores with the payment, where this charge has paid. */
async function authorize(charge, { refunds, latest = charge } = {}) {
  stubService(answersAbout(paidCheckout(charge, { transaction: latest }), refunds));
  const { provider } = createProvider({ data: sessionData() });
  const { status } = await provider.getPaymentStatus({ data: sessionData() });
  const refuse = (error) => ({ data: { transaction_id: error.message } });
  const { data } = await provider.authorizePayment({ data: sessionData() }).catch(refuse);
  return [status, data.transaction_id];
}

test("a charge that is reported as paid late pays the checkout, whatever the charge after it did", async () => {
  for (const latest of [failedCharge("txn_2"), pendingCharge("txn_2")])
    assert.deepEqual(await authorize(latePaid("txn_1"), { latest }), ["captured", "txn_1"]);
});

test("a charge that is disputed or contradicted has paid, and none of its money was returned", async () => {
  assert.deepEqual(await authorize(chargeOf("txn_1", { refundableAmount: 0 })), ["captured", "txn_1"]);
  const contradicted = chargeOf("txn_1", { refundableAmount: 0, conflict: conflict("FAILED") });
  assert.deepEqual(await authorize(contradicted), ["captured", "txn_1"]);
});

test("a checkout whose money was returned is cancelled, also while the refund is pending", async () => {
  const over = ["canceled", "The payment was refunded. Begin the payment again."];
  const returned = chargeOf("txn_1", { refundableAmount: 0 });
  const refunds = [refundOf("txn_1", 10), refundOf("txn_1", 8, { status: "PENDING" })];
  assert.deepEqual(await authorize(returned, { refunds }), over);
  const failed = refundOf("txn_1", 18, { status: "FAILED" });
  assert.deepEqual(await authorize(returned, { refunds: [failed, refundOf("txn_1", 10)] }), ["captured", "txn_1"]);
});

test("where a review found that no money arrived, nothing is captured", async () => {
  const latest = chargeOf("txn_1", { refundableAmount: 0, conflict: conflict("FAILED", "FAILED") });
  const [status] = await authorize(null, { latest });
  assert.equal(status, "canceled");
});

test("while another charge of such a checkout is pending, the payment is too, and no second checkout opens", async () => {
  const checkout = paidCheckout(null, { transaction: pendingCharge("txn_2") });
  stubService({ ...answersAbout(checkout), [`POST /checkout/${CHECKOUT}/close`]: problem(409, "checkout_already_paid") });
  const { provider } = createProvider({ data: sessionData() });
  assert.equal((await provider.getPaymentStatus({ data: sessionData() })).status, "pending");
  await assert.rejects(provider.deletePayment({ data: sessionData() }), /not confirmed yet. Please do not pay again/);
});

test("where the refunds cannot be read, nothing is decided", async () => {
  const charge = chargeOf("txn_1", { refundableAmount: 0 });
  const answers = answersAbout(paidCheckout(charge));
  stubService({ ...answers, "GET /refunds?transactionId=txn_1": connectionBroke });
  const { provider } = createProvider({ data: sessionData() });
  const error = await provider.authorizePayment({ data: sessionData() }).catch((thrown) => thrown);
  assert.equal(error.type, "payment_requires_more_error");
  assert.match(error.message, /not known yet whether the payment has arrived/);
});

test("a webhook about such a checkout completes the cart", async () => {
  stubService(answersAbout(PAID_LATE));
  const { receive } = createProvider({ data: sessionData() });
  assert.equal((await receive("checkout.paid", PAID_LATE)).action, "captured");
});

test("no second checkout of a cart opens while the first one is paid", async () => {
  stubService({ ...answersAbout(PAID_LATE), [`POST /checkout/${CHECKOUT}/close`]: problem(409, "checkout_already_paid") });
  const { provider } = createProvider({ data: sessionData() });
  await assert.rejects(provider.deletePayment({ data: sessionData() }), /has arrived. Please do not pay again/);
});
