/*
 * The client `mtn-momo`.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";
import { NUMBER, POOR_NUMBER, eventually, mtn } from "./emulator.mjs";

const { create } = createRequire(import.meta.url)("mtn-momo");

const momo = create({ callbackHost: "shop.example", baseUrl: mtn["base-url"], environment: "mtnghana" });
const credentials = ({ user, key, "subscription-key": primaryKey }) => ({ userId: user, userSecret: key, primaryKey });
const collections = momo.Collections(credentials(mtn.collection));
const disbursements = momo.Disbursements(credentials(mtn.disbursement));
const party = (partyId) => ({ partyIdType: "MSISDN", partyId });

test("a payment is asked for and succeeds", async () => {
  const request = { amount: "12.50", currency: "GHS", externalId: "order-1", payer: party(NUMBER) };
  const reference = await collections.requestToPay({ ...request, payerMessage: "Thanks", payeeNote: "Order 1" });
  const paid = await eventually(() => collections.getTransaction(reference), (read) => read.status !== "PENDING");
  assert.deepEqual([paid.status, paid.amount, paid.payer.partyId], ["SUCCESSFUL", "12.5", NUMBER]);
});

test("a payment fails for a reason", async () => {
  const request = { amount: "1", currency: "GHS", externalId: "order-2", payer: party(POOR_NUMBER) };
  const reference = await collections.requestToPay(request);
  const failed = () => eventually(() => collections.getTransaction(reference), (read) => read.status !== "PENDING");
  await assert.rejects(failed, (error) => error.transaction.status === "FAILED");
});

test("a transfer succeeds", async () => {
  const request = { amount: "3", currency: "GHS", externalId: "payout-1", payee: party(NUMBER) };
  const reference = await disbursements.transfer(request);
  const paid = await eventually(() => disbursements.getTransaction(reference), (read) => read.status !== "PENDING");
  assert.equal(paid.status, "SUCCESSFUL");
  await assert.rejects(disbursements.transfer({ ...request, referenceId: reference }), { name: "ResourceAlreadyExistError" });
});

test("balance and holder are known on both products", async () => {
  for (const product of [collections, disbursements]) assert.equal((await product.getBalance()).currency, "GHS");
  assert.deepEqual(await collections.isPayerActive(NUMBER), { result: true });
  assert.equal(await disbursements.isPayerActive(NUMBER), true);
  assert.equal(await disbursements.isPayerActive("233241230006"), false);
});

test("a user of the sandbox is made", async () => {
  const users = momo.Users({ primaryKey: mtn.collection["subscription-key"] });
  const user = await users.create("https://shop.example");
  assert.ok((await users.login(user)).apiKey);
});

test("a mistake is an error of its own", () =>
  assert.rejects(collections.getTransaction("3fa85f64-5717-4562-b3fc-2c963f66afa6"), { name: "ResourceNotFoundError" }));
