/* The provider with rows in memory. */
import { exampleEvent, signDelivery } from "@tua-pay/node/testing";
import { TuaPaymentProvider } from "../../.medusa/server/src/providers/tua/service.js";
import { examplesOf } from "../../../support/example-payments.mjs";
import { listOf } from "../../../support/stub-service.mjs";

export const SESSION = "payses_1";
export const CHECKOUT = "chk_1";
const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

const example = (type, changes) => ({ ...exampleEvent(type).data, ...changes });
const OWN = { reference: SESSION, metadata: { medusaSession: SESSION, medusaCollection: "paycol_1" } };

export const { chargeOf, failedCharge, paidCheckout, conflict } = examplesOf(example, CHECKOUT, OWN);
export const refundOf = (transactionId, amount, changes) => example("refund.successful", { transactionId, amount, ...changes });

/** What a session stores. */
export const sessionData = (changes) => ({
  session_id: SESSION,
  checkout_id: CHECKOUT,
  checkout_token: "tua_checkout_1",
  url: "https://pay.example/checkout",
  expires_at: "2026-11-21T10:30:00.000Z",
  amount: "18.00",
  mode: "test",
  email: "ama@example.com",
  return_url: "https://shop.example/",
  attempt: 0,
  transaction_id: null,
  refunds: [],
  ...changes,
});

/** The answers of the service about a paid checkout, and the refunds of the charge that paid it. */
export const answersAbout = (checkout, refunds = []) => ({
  [`GET /checkout/${CHECKOUT}`]: checkout,
  [`GET /refunds?transactionId=${checkout.paidTransaction?.transactionId}`]: listOf(...refunds),
});

/** The provider for the sessions of one payment collection. Stub the service before. */
export function createProvider(...sessions) {
  const rows = sessions.map((session) => ({
    id: SESSION,
    provider_id: "pp_tua_tua",
    payment_collection_id: "paycol_1",
    created_at: new Date(),
    payment: null,
    ...session,
  }));
  const reports = [];
  const container = {
    paymentSessionService: {
      retrieve: async (id) => rows.find((row) => row.id === id) ?? rows[0],
      list: async ({ id }) => rows.filter((row) => id === undefined || row.id === id),
    },
    event_bus: { emit: async ({ data }) => void reports.push(data) },
    logger: { error: () => undefined, info: () => undefined },
  };
  const options = {
    secretKey: "tua_test_v2_abc",
    baseUrl: "https://pay.example/v1",
    webhookSecret: SECRET,
    returnUrl: "https://shop.example/",
  };
  const provider = new TuaPaymentProvider(container, options);
  return {
    provider,
    reports,
    /** Processes a webhook. */
    receive: (type, data) => {
      const { body, headers } = signDelivery(SECRET, { type, timestamp: "2026-11-21T10:00:00.000Z", data });
      return provider.getWebhookActionAndData({ rawData: body, headers, data: {} });
    },
  };
}
