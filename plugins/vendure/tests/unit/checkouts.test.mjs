/* What a payer is told where a checkout does not open. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionBroke, problem, stubService } from "../../../support/stub-service.mjs";
import checkouts from "../../dist/checkouts.js";
import connections from "../../dist/connection.js";
import { ARGS, CHECKOUT, createShop, ORDER, paymentRow } from "./shop.mjs";

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

test("where the fields of the method are wrong, it is not known how an earlier checkout stands", async () => {
  const { lines } = createShop();
  const sentence = await checkouts.closeCheckout({ ...ARGS, secretKey: "pk_1" }, paymentRow().metadata);
  assert.equal(sentence, checkouts.UNKNOWN);
  assert.equal(lines.length, 1, lines.join());
});
