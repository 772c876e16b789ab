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

/** What Medusa does, and the charge that it stores with the payment. */
async function authorize(charges, refunds, latest = charges[0]) {
  stubService(answersAbout(paidCheckout(latest), charges, refunds));
  const { provider } = createProvider({ data: sessionData() });
  const { status } = await provider.getPaymentStatus({ data: sessionData() });
  const refuse = (error) => ({ data: { transaction_id: error.message } });
  const { data } = await provider.authorizePayment({ data: sessionData() }).catch(refuse);
  return [status, data.transaction_id];
}

test("a charge that is reported as paid late pays the checkout, whatever the charge after it did", async () => {
  assert.deepEqual(await authorize([failedCharge("txn_2"), latePaid("txn_1")]), ["captured", "txn_1"]);
  assert.deepEqual(await authorize([pendingCharge("txn_2"), latePaid("txn_1")]), ["captured", "txn_1"]);
});

test("a charge that is disputed or contradicted has paid, and none of its money was returned", async () => {
  assert.deepEqual(await authorize([chargeOf("txn_1", { refundableAmount: 0 })]), ["captured", "txn_1"]);
  const contradicted = chargeOf("txn_1", { refundableAmount: 0, conflict: conflict("FAILED") });
  assert.deepEqual(await authorize([contradicted]), ["captured", "txn_1"]);
});

test("a checkout whose money was returned is cancelled, also while the refund is pending", async () => {
  const over = ["canceled", "The payment was refunded. Begin the payment again."];
  const returned = chargeOf("txn_1", { refundableAmount: 0 });
  assert.deepEqual(await authorize([returned], [refundOf("txn_1", 10), refundOf("txn_1", 8, { status: "PENDING" })]), over);
  const failed = refundOf("txn_1", 18, { status: "FAILED" });
  assert.deepEqual(await authorize([returned], [failed, refundOf("txn_1", 10)]), ["captured", "txn_1"]);
});

test("money of a second charge stays paid where the other one was returned", async () => {
  const charges = [chargeOf("txn_2", { refundableAmount: 0 }), latePaid("txn_1")];
  assert.deepEqual(await authorize(charges, [refundOf("txn_2", 18)]), ["captured", "txn_1"]);
});

test("a charge that a review found not to be paid is not captured", async () => {
  const charge = chargeOf("txn_1", { refundableAmount: 0, conflict: conflict("FAILED", "FAILED") });
  const [status] = await authorize([charge]);
  assert.equal(status, "canceled");
});

test("where the refunds cannot be read, nothing is decided", async () => {
  const charge = chargeOf("txn_1", { refundableAmount: 0 });
  const answers = answersAbout(paidCheckout(charge), [charge]);
  stubService({ ...answers, "GET /refunds?transactionId=txn_1": connectionBroke });
  const { provider } = createProvider({ data: sessionData() });
  const error = await provider.authorizePayment({ data: sessionData() }).catch((thrown) => thrown);
  assert.equal(error.type, "payment_requires_more_error");
  assert.match(error.message, /not known yet whether the payment has arrived/);
});

test("a webhook about such a checkout completes the cart", async () => {
  stubService(answersAbout(paidCheckout(failedCharge("txn_2")), [failedCharge("txn_2"), latePaid("txn_1")]));
  const { receive } = createProvider({ data: sessionData() });
  assert.equal((await receive("checkout.paid", paidCheckout(failedCharge("txn_2")))).action, "captured");
});

test("no second checkout of a cart opens while the first one is paid", async () => {
  const answers = answersAbout(paidCheckout(failedCharge("txn_2")), [failedCharge("txn_2"), latePaid("txn_1")]);
  stubService({ ...answers, [`POST /checkout/${CHECKOUT}/close`]: problem(409, "checkout_already_paid") });
  const { provider } = createProvider({ data: sessionData() });
  await assert.rejects(provider.deletePayment({ data: sessionData() }), /has arrived. Please do not pay again/);
});
