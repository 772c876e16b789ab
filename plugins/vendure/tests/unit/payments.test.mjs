/* What is recorded about money that arrives, and what people are told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionBroke, stubService } from "../../../support/stub-service.mjs";
import handlers from "../../dist/handler.js";
import {
  CHECKOUT,
  chargeOf,
  conflict,
  createShop,
  failedCharge,
  handlerArgs,
  METHOD,
  ORDER,
  paidCheckout,
  paymentRow,
} from "./shop.mjs";

const settledRow = () => {
  const row = paymentRow({ state: "Settled", amount: 1800 });
  return { ...row, metadata: { ...row.metadata, tuaCharge: "txn_1" } };
};
const LATE = failedCharge("txn_1", { conflict: conflict("SUCCESSFUL"), refundableAmount: 18 });

/** A review found that no money arrived. */
const UNPAID = paidCheckout(null, { transaction: chargeOf("txn_1", { conflict: conflict("FAILED", "FAILED") }) });

const answerAbout = (checkout) => ({ [`GET /checkout/${CHECKOUT}`]: checkout });

/** Processes `checkout.paid` of a checkout in a shop with these payments. */
async function settle(checkout, paymentRows) {
  stubService(answerAbout(checkout));
  const shop = createShop({ paymentRows });
  await shop.payments.settle({}, METHOD, CHECKOUT);
  return shop;
}

test("the charge that paid is stored, and not a later one that failed", async () => {
  const requests = stubService(answerAbout(paidCheckout(LATE, { transaction: failedCharge("txn_2") })));
  const { success, metadata } = await handlers.tuaPaymentHandler.settlePayment({}, {}, paymentRow(), handlerArgs);
  assert.deepEqual([success, metadata.tuaCharge, requests.length], [true, "txn_1", 1]);
});

test("where a review found that no money arrived, the payment is not settled", async () => {
  stubService(answerAbout(UNPAID));
  const { success } = await handlers.tuaPaymentHandler.settlePayment({}, {}, paymentRow(), handlerArgs);
  assert.equal(success, false);
});

test("where a review found that no money arrived, a pending payment is cancelled", async () => {
  const shop = await settle(UNPAID, [paymentRow()]);
  assert.deepEqual([shop.settled, shop.cancelled, shop.notes()], [[], [1], []]);
});

test("while another charge of such a checkout is pending, its payment is too", async () => {
  const transaction = chargeOf("txn_2", { status: "PENDING" });
  const shop = await settle({ ...UNPAID, transaction }, [paymentRow()]);
  assert.deepEqual([shop.settled, shop.cancelled, shop.notes()], [[], [], []]);
});

test("money that a review does not find leaves a settled payment as it is, and has a note, once", async () => {
  const shop = await settle(UNPAID, [settledRow()]);
  await shop.payments.settle({}, METHOD, CHECKOUT);
  assert.deepEqual([shop.settled, shop.cancelled, shop.notes().length], [[], [], 1]);
  assert.match(shop.notes()[0], /found that no money of checkout chk_1 arrived/);
});

test("where the checkout cannot be read, the payment is not settled yet", async () => {
  stubService(answerAbout(connectionBroke));
  const { success, errorMessage } = await handlers.tuaPaymentHandler.settlePayment({}, {}, paymentRow(), handlerArgs);
  assert.equal(success, false);
  assert.match(errorMessage, /not known yet whether the payment has arrived/);
});

test("a payment that is pending is settled", async () => {
  const shop = await settle(paidCheckout(chargeOf("txn_1")), [paymentRow()]);
  assert.deepEqual([shop.settled, shop.lines], [[1], []]);
});

test("money for a cancelled payment has a note, once, with the charge that paid", async () => {
  const shop = await settle(paidCheckout(LATE, { transaction: failedCharge("txn_2") }), [paymentRow({ state: "Cancelled" })]);
  await shop.payments.settle({}, METHOD, CHECKOUT);
  assert.equal(shop.notes().length, 1, shop.notes().join());
  assert.match(shop.notes()[0], /GHS 18.00 \(charge txn_1\) arrived for a payment that is cancelled/);
  assert.equal(shop.lines.length, 1, shop.lines.join());
});

test("payments of other programs of the account are none of this shop", async () => {
  const other = { reference: "order-17", metadata: { order: 17 } };
  const shop = await settle(paidCheckout(chargeOf("txn_9", other), other), []);
  await shop.payments.flagCharge({}, METHOD, "charge.conflict", chargeOf("txn_9", { ...other, conflict: conflict("FAILED") }));
  assert.deepEqual([shop.lines, shop.notes()], [[], []]);
});

test("payments of another method of the shop are left to its own endpoint", async () => {
  const shop = await settle(paidCheckout(chargeOf("txn_1")), [paymentRow({ method: "mobile-money-2" })]);
  await shop.payments.flagCharge({}, METHOD, "charge.conflict", chargeOf("txn_1", { conflict: conflict("FAILED") }));
  assert.deepEqual([shop.lines, shop.notes()], [[], []]);
});

test("money for an order that has no such payment has a note", async () => {
  const shop = await settle(paidCheckout(chargeOf("txn_1")), []);
  assert.match(shop.notes().join(), /GHS 18.00 \(charge txn_1\) arrived, and the order has no such payment/);
  assert.match(shop.lines.join(), new RegExp(`Order ${ORDER}: `));
});

test("a second charge that pays the same checkout has a note", async () => {
  const shop = createShop({ paymentRows: [settledRow()] });
  await shop.payments.flagCharge({}, METHOD, "charge.successful", chargeOf("txn_1"));
  assert.deepEqual(shop.notes(), []);
  await shop.payments.flagCharge({}, METHOD, "charge.successful", chargeOf("txn_2"));
  assert.match(shop.notes().join(), /charge txn_2 arrived too, and charge txn_1 has paid the order/);
});

test("a failed charge that its operator reports as paid is a second payment too", async () => {
  const shop = createShop({ paymentRows: [settledRow()] });
  await shop.payments.flagCharge({}, METHOD, "charge.conflict", failedCharge("txn_2", { conflict: conflict("SUCCESSFUL") }));
  assert.match(shop.notes().join(), /charge txn_2 arrived too/);
});

test("a contradicted charge has a note, once", async () => {
  const shop = createShop({ paymentRows: [settledRow()] });
  const contradicted = chargeOf("txn_1", { conflict: conflict("FAILED") });
  await shop.payments.flagCharge({}, METHOD, "charge.conflict", contradicted);
  await shop.payments.flagCharge({}, METHOD, "charge.conflict", contradicted);
  assert.equal(shop.notes().length, 1);
  assert.match(shop.notes()[0], /The operator contradicts the outcome of charge txn_1/);
});
