/* What a payer is told where a checkout does not open. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionBroke, problem, stubService } from "../../../support/stub-service.mjs";
import checkouts from "../../dist/checkouts.js";
import connections from "../../dist/connection.js";
import { ARGS, CHECKOUT, chargeOf, conflict, createShop, failedCharge, ORDER, paidCheckout, paymentRow } from "./shop.mjs";

const OPENED = {
  checkoutId: CHECKOUT,
  checkoutToken: "tua_checkout_1",
  url: "https://pay.example/pay",
  expiresAt: "2026-11-21T10:30:00.000Z",
  reference: ORDER,
};
const order = { orderCode: ORDER, attempt: 0, pesewas: 1800, email: "ama@shop.example", returnUrl: ARGS.returnUrl };

/** The sentence with which a checkout is refused, where the service answers so. */
async function refusalOf(answers) {
  stubService(answers);
  const error = await checkouts.openCheckout(connections.connect(ARGS), order).catch((error) => error);
  assert.ok(error instanceof checkouts.PaymentRefusal, String(error));
  return error.message;
}

test("where no checkout begins, no money moved", async () => {
  for (const answer of [connectionBroke, problem(503, "overloaded")])
    assert.match(await refusalOf({ "POST /checkout": answer }), /could not begin. No money moved/);
});

test("where it is not known how a checkout stands, it is not said that no money moved", async () => {
  // Another tab of the payer has the same checkout, and may have paid it.
  for (const answer of [connectionBroke, problem(503, "overloaded")]) {
    const sentence = await refusalOf({ "POST /checkout": OPENED, [`GET /checkout/${CHECKOUT}`]: answer });
    assert.match(sentence, /not known yet whether the payment has arrived/);
    assert.doesNotMatch(sentence, /No money moved/);
  }
});

/** A checkout whose operator contradicted itself, until a review found that no money arrived. */
const unpaid = (changes) =>
  paidCheckout(null, { transaction: failedCharge("txn_1", { conflict: conflict("SUCCESSFUL", "FAILED") }), ...changes });

test("after a checkout whose money did not arrive, the next one opens", async () => {
  const second = { ...OPENED, checkoutId: "chk_2" };
  stubService({
    "POST /checkout": ({ key }) => (key.endsWith("-0") ? OPENED : second),
    [`GET /checkout/${CHECKOUT}`]: unpaid(),
    "GET /checkout/chk_2": paidCheckout(null, { checkoutId: "chk_2", status: "OPEN", transaction: null }),
  });
  assert.equal((await checkouts.openCheckout(connections.connect(ARGS), order)).checkoutId, "chk_2");
});

test("while another charge of such a checkout is pending, nothing opens", async () => {
  const pending = unpaid({ transaction: chargeOf("txn_2", { status: "PENDING" }) });
  const sentence = await refusalOf({ "POST /checkout": OPENED, [`GET /checkout/${CHECKOUT}`]: pending });
  assert.equal(sentence, checkouts.NOT_CONFIRMED);
});

test("a checkout whose money did not arrive counts as closed", async () => {
  const refusal = problem(409, "checkout_already_paid");
  const close = async (checkout) => {
    stubService({ [`POST /checkout/${CHECKOUT}/close`]: refusal, [`GET /checkout/${CHECKOUT}`]: checkout });
    return checkouts.closeCheckout(ARGS, paymentRow().metadata);
  };
  assert.equal(await close(unpaid()), undefined);
  assert.equal(await close(unpaid({ transaction: chargeOf("txn_2", { status: "PENDING" }) })), checkouts.NOT_CONFIRMED);
  assert.equal(await close(paidCheckout(chargeOf("txn_1"))), checkouts.ALREADY_PAID);
  assert.match(await close(connectionBroke), /not known yet whether the payment has arrived/);
});

test("where the fields of the method are wrong, it is not known how an earlier checkout stands", async () => {
  const { lines } = createShop();
  const sentence = await checkouts.closeCheckout({ ...ARGS, secretKey: "pk_1" }, paymentRow().metadata);
  assert.equal(sentence, checkouts.UNKNOWN);
  assert.equal(lines.length, 1, lines.join());
});
