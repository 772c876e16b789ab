/* What is recorded about money that arrives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionBroke, listOf, stubService } from "../../../support/stub-service.mjs";
import handlers from "../../dist/handler.js";
import { ARGS, CHECKOUT, chargeOf, conflict, failedCharge, paidCheckout, paymentRow } from "./shop.mjs";

const args = Object.entries(ARGS).map(([name, value]) => ({ name, value }));
const answersAbout = (checkout, ...charges) => ({
  [`GET /checkout/${CHECKOUT}`]: checkout,
  [`GET /transactions?checkoutId=${CHECKOUT}`]: listOf(...charges),
});
const LATE = failedCharge("txn_1", { conflict: conflict("SUCCESSFUL"), refundableAmount: 18 });

test("the charge that paid is stored, and not a later one that failed or is pending", async () => {
  for (const latest of [failedCharge("txn_2"), chargeOf("txn_2", { status: "PENDING", refundableAmount: 0 })]) {
    stubService(answersAbout(paidCheckout(latest), latest, LATE));
    const { success, metadata } = await handlers.tuaPaymentHandler.settlePayment({}, {}, paymentRow(), args);
    assert.deepEqual([success, metadata.tuaCharge], [true, "txn_1"]);
  }
});

test("a charge that a review found not to be paid is not the one that paid", async () => {
  const latest = chargeOf("txn_2", { conflict: conflict("FAILED", "FAILED") });
  stubService(answersAbout(paidCheckout(latest), latest, LATE));
  const { metadata } = await handlers.tuaPaymentHandler.settlePayment({}, {}, paymentRow(), args);
  assert.equal(metadata.tuaCharge, "txn_1");
});

test("where the charges cannot be read, the payment is not settled yet", async () => {
  const answers = answersAbout(paidCheckout(failedCharge("txn_2")));
  stubService({ ...answers, [`GET /transactions?checkoutId=${CHECKOUT}`]: connectionBroke });
  const { success, errorMessage } = await handlers.tuaPaymentHandler.settlePayment({}, {}, paymentRow(), args);
  assert.equal(success, false);
  assert.match(errorMessage, /not known yet whether the payment has arrived/);
});
