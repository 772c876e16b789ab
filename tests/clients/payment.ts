// Makes test payments with the client that openapi-generator wrote, and reads a refusal.
import assert from "node:assert/strict";
import { CheckoutsApi, Configuration, PaymentsApi, ReadingApi, ResponseError } from "./client/index.js";
import type { ChargeRequest, Problem } from "./client/index.js";

const [, , basePath, apiKey] = process.argv;
const configuration = new Configuration({ basePath, apiKey });
const payments = new PaymentsApi(configuration);
const charge: ChargeRequest = { amount: 0.29, phoneNumber: "0241234567", network: "MTN" };

// @ts-expect-error A secret key must send the amount.
const incomplete: ChargeRequest = { phoneNumber: "0241234567", network: "MTN" };

const idempotencyKey = crypto.randomUUID();
const begun = await payments.createCharge({ chargeRequest: charge, idempotencyKey });
const repeated = await payments.createCharge({ chargeRequest: charge, idempotencyKey });
assert.equal(repeated.transactionId, begun.transactionId);
const { transactionId } = begun;
let read = await new ReadingApi(configuration).readStatus({ transactionId });
while (read.status === "PENDING") {
  read = await new ReadingApi(configuration).readStatus({ transactionId, prefer: "wait=5" });
}
assert.deepEqual([read.status, read.amount, read.phoneNumber], ["SUCCESSFUL", 0.29, "0241234567"]);

const checkoutRequest = { amount: 10.5, currency: "GHS", email: "ama@example.com", metadata: { order: 17 } } as const;
const opened = await new CheckoutsApi(configuration).createCheckout({ checkoutRequest });
const session = await new CheckoutsApi(configuration).readSession({ checkoutId: opened.checkoutId });
assert.equal(session.status, "OPEN");

const refused: unknown = await payments.createCharge({ chargeRequest: incomplete }).catch((error: unknown) => error);
assert.ok(refused instanceof ResponseError);
const problem = (await refused.response.json()) as Problem;
assert.deepEqual([problem.status, problem.code], [422, "field_required"]);
console.log("paid 0.29 and read a problem");
