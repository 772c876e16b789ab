/* Closing a checkout. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionBroke, problem, stubService } from "../../../support/stub-service.mjs";
import { CHECKOUT, createProvider, sessionData } from "./provider.mjs";

const CLOSE = `POST /checkout/${CHECKOUT}/close`;
const IS_UNKNOWN = /not known yet whether the payment has arrived. If you have paid, please do not pay again/;

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
