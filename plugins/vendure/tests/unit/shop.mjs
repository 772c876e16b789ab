/* The services of the plug-in with rows in memory. */
import { exampleEvent } from "@tua-pay/node/testing";
import vendure from "@vendure/core";
import attention from "../../dist/attention.js";
import handlers from "../../dist/handler.js";
import payments from "../../dist/payments.service.js";
import refunds from "../../dist/refunds.service.js";
import { examplesOf } from "../../../support/example-payments.mjs";

const { ConfigService, Logger, Payment, PaymentService, Refund, TransactionalConnection } = vendure;
export const CHECKOUT = "chk_1";
export const ORDER = "ORDER1";
export const ARGS = {
  secretKey: "tua_test_v2_abc",
  baseUrl: "https://pay.example/v1",
  webhookSecret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
  returnUrl: "https://shop.example/",
};
export const METHOD = { code: "mobile-money", args: ARGS };

const example = (type, changes) => ({ ...exampleEvent(type).data, ...changes });
const OWN = { reference: ORDER, metadata: { vendureOrder: ORDER } };

export const { chargeOf, failedCharge, paidCheckout, conflict } = examplesOf(example, CHECKOUT, OWN);

export const order = { id: 1, code: ORDER, totalWithTax: 1800, payments: [] };

export const paymentRow = (changes) => ({
  id: 1,
  method: METHOD.code,
  state: "Pending",
  transactionId: CHECKOUT,
  amount: 0,
  order,
  metadata: { tuaCheckout: CHECKOUT, requested: 1800, public: { checkoutToken: "tua_checkout_1", url: "https://x", mode: "test" } },
  ...changes,
});

/** The fields of the payment method, as Vendure gives them to a handler. */
export const handlerArgs = Object.entries(ARGS).map(([name, value]) => ({ name, value }));

/** Whether a row has the values of a condition. */
const matches = (row, where) =>
  Object.entries(where).every(([name, wanted]) =>
    typeof wanted === "object" && wanted !== null ? matches(row[name] ?? {}, wanted) : row[name] === wanted,
  );

/** A shop with these rows. `lines` has what was logged, `notes` what the administration reads at the order. */
export function createShop({ paymentRows = [], refundRows = [] } = {}) {
  const tables = new Map([
    [Payment, paymentRows],
    [Refund, refundRows],
  ]);
  const notes = [];
  const repositoryOf = (entity) => {
    const rows = tables.get(entity);
    const find = async ({ where }) => rows.filter((row) => matches(row, where));
    return {
      find,
      findOne: async (options) => (await find(options))[0] ?? null,
      count: async (options) => (await find(options)).length,
      update: async (id, changes) => void Object.assign(rows.find((row) => row.id === id) ?? {}, changes),
      save: async (row) => row,
    };
  };
  const connection = {
    rawConnection: { options: { type: "better-sqlite3" } },
    getRepository: (_ctx, entity) => repositoryOf(entity),
    withTransaction: (ctx, work) => work(ctx),
  };
  const services = new Map([
    [TransactionalConnection, connection],
    [PaymentService, {}],
    [ConfigService, { entityOptions: {} }],
  ]);
  handlers.tuaPaymentHandler.init({ get: (token) => services.get(token) });
  const refundWith = (id) => refundRows.find((row) => row.id === id);
  const settled = [];
  const cancelled = [];
  const orders = {
    findOneByCode: async (_ctx, code) => (code === ORDER ? order : undefined),
    findOne: async () => undefined,
    settlePayment: async (_ctx, id) => void settled.push(id) ?? {},
    settleRefund: async (_ctx, { id }) => Object.assign(refundWith(id), { state: "Settled" }),
    transitionRefundToState: async (_ctx, id, state) => Object.assign(refundWith(id), { state }),
    addNoteToOrder: async (_ctx, { id, note }) => void notes.push({ id, note }),
  };
  const cancelPayment = async (_ctx, id) => void cancelled.push(id) ?? {};
  const historyOf = (orderId) => notes.filter(({ id }) => id === orderId).map(({ note }) => ({ data: { note } }));
  const history = { getHistoryForOrder: async (_ctx, orderId) => ({ items: historyOf(orderId) }) };
  const lines = [];
  const write = (line) => void lines.push(line);
  Logger.useLogger({ error: write, warn: write, info: write, verbose: write, debug: write });
  const people = new attention.TuaAttention(orders, history);
  return {
    connection,
    lines,
    settled,
    cancelled,
    notes: () => notes.map(({ note }) => note),
    payments: new payments.TuaPaymentsService(connection, orders, { cancelPayment }, {}, {}, people),
    refunds: new refunds.TuaRefundsService(connection, orders, people),
  };
}
