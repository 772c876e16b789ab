/* Closing a checkout, and opening the next one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionBroke, problem, stubService } from "../../../support/stub-service.mjs";
import { CHECKOUT, createProvider, sessionData } from "./provider.mjs";

const CLOSE = `POST /checkout/${CHECKOUT}/close`;
const IS_UNKNOWN = /not known yet whether the payment has arrived. If you have paid, please do not pay again/;

/** A service that opens a checkout for each key, and the same one where the key comes again. */
function openByKey() {
  const opened = new Map();
  return ({ key, body }) => {
    const request = JSON.stringify(body);
    const before = opened.get(key);
    if (before && before.request !== request) return problem(422, "idempotency_key_reused");
    const checkoutId = before?.checkoutId ?? `chk_of_${key}`;
    opened.set(key, { checkoutId, request });
    const { amount, reference } = body;
    const common = { checkoutToken: "tua_checkout_2", url: "https://pay.example/checkout", expiresAt: "2026-11-21T10:30:00.000Z" };
    return { checkoutId, amount, reference, ...common };
  };
}

test("closing a checkout without a response does not say that no money moved", async () => {
  stubService({ [CLOSE]: connectionBroke });
  const { provider } = createProvider({ data: sessionData() });
  await assert.rejects(provider.deletePayment({ data: sessionData() }), IS_UNKNOWN);
});

test("closing a checkout that is paid does not say so either where the question after it has no response", async () => {
  stubService({ [CLOSE]: problem(409, "checkout_already_paid"), [`GET /checkout/${CHECKOUT}`]: connectionBroke });
  const { provider } = createProvider({ data: sessionData() });
  await assert.rejects(provider.deletePayment({ data: sessionData() }), IS_UNKNOWN);
});

test("a refusal to close is shown as it is", async () => {
  stubService({ [CLOSE]: problem(401, "invalid_credentials") });
  const { provider } = createProvider({ data: sessionData() });
  await assert.rejects(provider.deletePayment({ data: sessionData() }), /Tua refused: invalid_credentials/);
});

test("a cart that comes back to an earlier sum gets a checkout of its own", async () => {
  const close = (checkoutId) => ({ checkoutId, status: "CLOSED" });
  const answers = { "POST /checkout": openByKey() };
  for (const id of [CHECKOUT, "chk_of_medusa-paycol_1-0", "chk_of_medusa-paycol_1-1", "chk_of_medusa-paycol_1-2"])
    answers[`POST /checkout/${id}/close`] = close(id);
  stubService(answers);
  const data = { session_id: "payses_1", email: "ama@example.com" };
  const { provider } = createProvider({ data: {} });
  let session = (await provider.initiatePayment({ amount: 18, currency_code: "ghs", data })).data;
  const seen = [session.checkout_id];
  for (const amount of [20, 18, 20]) {
    session = (await provider.updatePayment({ amount, currency_code: "ghs", data: session })).data;
    seen.push(session.checkout_id);
  }
  assert.equal(new Set(seen).size, 4, seen.join());
});
