/* Refunds whose request is refused, or whose response was lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleEvent } from "@tua-pay/node/testing";
import { connectionBroke, listOf, problem, stubService } from "../../../support/stub-service.mjs";
import handlers from "../../dist/handler.js";
import connections from "../../dist/connection.js";
import states from "../../dist/payment-state.js";
import refundsOfTua from "../../dist/refunds.js";
import { ARGS, createShop, handlerArgs, METHOD, paymentRow } from "./shop.mjs";

const DAY_MS = 86_400_000;
const REQUEST = { idempotencyKey: "vendure-refund-txn_1-0", tuaCharge: "txn_1", amount: "9.00" };
const made = () => ({ ...exampleEvent("refund.successful").data, transactionId: "txn_1", amount: 9 });

/** A refund whose response was lost, some days ago. */
const lostRefund = (days) => ({
  id: 7,
  state: "Pending",
  transactionId: undefined,
  createdAt: new Date(Date.now() - days * DAY_MS),
  metadata: { ...REQUEST, message: "The outcome is not known yet." },
  payment: paymentRow({ state: "Settled" }),
});

/** Asks about a refund as the scheduled task does. */
async function ask(refund, answers) {
  const requests = stubService(answers);
  const shop = createShop({ refundRows: [refund] });
  await shop.refunds.askAboutRefund({}, METHOD, refund);
  return { requests, shop };
}

/** A charge of its own for each test: the keys of a charge that was refunded just now are taken. */
let charges = 0;
const newCharge = () => `txn_button_${(charges += 1)}`;
/** A refund at Tua that this plug-in made with its key of this number. */
const madeAs = (number, changes) => ({ ...made(), reason: `Vendure refund ${number}`, ...changes });

/** Refunds GHS 9 as the button of the Admin UI does, as often at the same moment, where Tua has these refunds of the charge. */
async function press({ atTua, storedNumbers = [], times = 1 }) {
  const charge = newCharge();
  const create = { ...made(), transactionId: charge };
  const requests = stubService({ [`GET /refunds?transactionId=${charge}`]: atTua, "POST /refunds": create });
  const keyOf = (number) => `vendure-refund-${charge}-${number}`;
  createShop({ refundRows: storedNumbers.map((number) => ({ paymentId: 1, metadata: { idempotencyKey: keyOf(number) } })) });
  const row = paymentRow({ state: "Settled", amount: 1800 });
  row.metadata = { ...row.metadata, tuaCharge: charge };
  const refund = () => handlers.tuaPaymentHandler.createRefund({}, {}, 900, {}, row, handlerArgs);
  const results = await Promise.all(Array.from({ length: times }, refund));
  return { results, keyOf, posts: requests.filter(({ name }) => name === "POST /refunds") };
}

test("a refund that Tua made and the shop never stored is taken over, also after Tua has deleted its key", async () => {
  const { results, posts, keyOf } = await press({ atTua: listOf(madeAs(0, { refundId: "rfd_lost" })) });
  const [{ state, transactionId, metadata }] = results;
  assert.deepEqual([state, transactionId, posts], ["Settled", "rfd_lost", []]);
  assert.equal(metadata.idempotencyKey, keyOf(0));
});

test("a refund that the shop never stored is taken over once", async () => {
  const { results, posts, keyOf } = await press({ atTua: listOf(madeAs(0)), times: 2 });
  assert.deepEqual(results.map(({ metadata }) => metadata.idempotencyKey).sort(), [keyOf(0), keyOf(1)]);
  assert.equal(posts.length, 1);
});

test("before another refund, one of another amount that the shop never stored must be taken over", async () => {
  const { results, posts } = await press({ atTua: listOf(madeAs(0, { amount: 5 })) });
  assert.deepEqual([results[0].state, posts], ["Failed", []]);
  assert.match(results[0].metadata.message, /An earlier refund of GHS 5.00 was begun, and Vendure did not store it/);
});

test("refunds that are stored, have failed or were made elsewhere are not taken over", async () => {
  const { failure } = exampleEvent("refund.failed").data;
  const atTua = listOf(madeAs(0), madeAs(1, { status: "FAILED", failure }), { ...made(), reason: "By hand" });
  const { results, posts, keyOf } = await press({ atTua, storedNumbers: [0] });
  assert.equal(results[0].state, "Settled");
  assert.deepEqual(
    posts.map(({ key, body }) => [key, body.reason]),
    [[keyOf(1), "Vendure refund 1"]],
  );
});

test("where the refunds of the charge cannot be read, nothing is refunded", async () => {
  const { results, posts } = await press({ atTua: connectionBroke });
  assert.deepEqual([results[0].state, posts], ["Failed", []]);
  assert.match(results[0].metadata.message, /Tua does not respond, so nothing was refunded/);
});

test("a refund under the key of another amount has failed, and its message names the earlier one", async () => {
  stubService({ "POST /refunds": problem(422, "idempotency_key_reused") });
  const { state, metadata } = await refundsOfTua.beginRefund(connections.connect(ARGS), REQUEST);
  assert.equal(state, "Failed");
  assert.match(metadata.message, /An earlier refund with another amount was begun/);
});

test("a refund whose response was lost is pending", async () => {
  stubService({ "POST /refunds": connectionBroke });
  const { state } = await refundsOfTua.beginRefund(connections.connect(ARGS), REQUEST);
  assert.equal(state, "Pending");
});

test("the task ends a pending refund whose key is of another amount, and the order has a note", async () => {
  const refund = lostRefund(1);
  const { shop } = await ask(refund, { "POST /refunds": problem(422, "idempotency_key_reused") });
  assert.equal(refund.state, "Failed");
  assert.match(shop.notes().join(), /refund of GHS 9.00 .*An earlier refund with another amount was begun/);
});

test("the task ends a pending refund that Tua refuses, and the order has a note with the reason", async () => {
  const refund = lostRefund(1);
  const { shop } = await ask(refund, { "POST /refunds": problem(409, "not_refundable") });
  assert.equal(refund.state, "Failed");
  assert.match(shop.notes().join(), /refund of GHS 9.00 .*not_refundable/);
});

test("the request of a refund whose response was lost is sent again with its key", async () => {
  const refund = lostRefund(5);
  const { requests } = await ask(refund, { "POST /refunds": made() });
  assert.deepEqual(
    requests.map(({ name, key }) => [name, key]),
    [["POST /refunds", REQUEST.idempotencyKey]],
  );
  assert.equal(refund.state, "Settled");
});

test("once Tua may have deleted its key, the request is not sent again, and people are told once", async () => {
  const refund = lostRefund(6.1);
  const { requests, shop } = await ask(refund, { "POST /refunds": made() });
  await shop.refunds.askAboutRefund({}, METHOD, refund);
  assert.deepEqual(requests, []);
  assert.equal(refund.state, "Pending");
  assert.equal(shop.notes().length, 1, shop.notes().join());
  assert.match(shop.notes()[0], /not known whether the refund of GHS 9.00 was made/);
  assert.equal(shop.lines.length, 1, shop.lines.join());
});

test("a refund about which people were told is settled by hand, and no other one that is not confirmed", async () => {
  const settle = (refund) => states.tuaRefundProcess.onTransitionStart("Pending", "Settled", { refund });
  const refund = lostRefund(6.1);
  assert.match(settle(refund), /Tua has not confirmed this refund/);
  await ask(refund, {});
  assert.equal(settle(refund), undefined);
});

test("an old refund that has an identifier is asked about", async () => {
  const refund = { ...lostRefund(20), transactionId: made().refundId };
  await ask(refund, { [`GET /refunds/${made().refundId}`]: made() });
  assert.equal(refund.state, "Settled");
});
