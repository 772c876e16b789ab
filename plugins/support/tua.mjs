/* The real service for a shop's tests: `tua serve` in test mode, with a database of its own. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, stop, waitFor } from "./processes.mjs";

const PROGRAM = process.env.TUA_BIN ?? "tua";

/** Starts a service whose sandbox decides ten times as fast as usual. */
export async function startTua() {
  const folder = await mkdtemp(join(tmpdir(), "tua-plugins-"));
  const database = `sqlite://${join(folder, "tua.db")}`;
  const origin = `http://127.0.0.1:${await freePort()}`;
  const flags = [
    "serve",
    "--listen",
    new URL(origin).host,
    "--database",
    database,
    "--sandbox-speed",
    "10",
    "--sandbox-phone",
    "--limits",
    "off",
  ];
  const child = spawn(PROGRAM, flags, { cwd: folder, stdio: "ignore" });
  await waitFor("the service", async () => (await fetch(`${origin}/readyz`)).ok);
  const run = async (...args) => {
    const { stdout } = await promisify(execFile)(PROGRAM, [...args, "--database", database, "--json"], { cwd: folder });
    return JSON.parse(stdout);
  };
  const { accountId, keys } = await run("account", "create", "--name", "Adom Stores");
  const secretKey = keys.testV2;
  const request = async (path, { method = "GET", key = secretKey, body } = {}) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const response = await fetch(`${origin}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  const begin = (token, phoneNumber) => request("/charge", { method: "POST", key: token, body: { phoneNumber, network: "MTN" } });
  const phone = async (path, body) => {
    const options = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${origin}/sandbox/phone/prompts${path}`, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`The simulated phone: ${response.status} ${text}`);
    return text && JSON.parse(text);
  };
  let payers = 100;
  const approve = async (phoneNumber) => {
    const { reference } = await waitFor(`a prompt on ${phoneNumber}`, async () => {
      const { prompts } = await phone("");
      return prompts.find((prompt) => prompt.phoneNumber.endsWith(phoneNumber.slice(1)));
    });
    await phone(`/${reference}`, { decision: "approve" });
  };
  const payLater = async (token, phoneNumber = `024${(payers += 1)}9999`) => {
    const response = await begin(token, phoneNumber);
    return { ...response, approve: () => approve(phoneNumber) };
  };
  return {
    origin,
    baseUrl: `${origin}/v1`,
    secretKey,
    request,
    addWebhook: async (url) => (await run("webhook", "add", "--account", accountId, "--mode", "test", "--url", url)).secret,
    /** A live key of the account. The simulated phone ends with it, so nobody can pay afterwards. */
    goLive: async () => (await run("key", "create", "--account", accountId, "--mode", "live")).key,
    /** Ends the 30 minutes of a checkout now. */
    expire: (checkoutId) => run("sandbox", "expire", checkoutId),
    /** A payer pays with the token of the page, as the embedded component does, and approves on the phone. */
    pay: async (token, phoneNumber) => {
      const { approve, ...response } = await payLater(token, phoneNumber);
      if (response.status < 400) await approve();
      return response;
    },
    /** Approves what waits on the phone of this number. */
    approve,
    /** A payer whose phone declines. */
    decline: (token) => begin(token, "0240000002"),
    /** A payer begins to pay, and approves on the phone only when `approve` is called. */
    payLater,
    waitForCheckout: (checkoutId, status) =>
      waitFor(
        `checkout ${checkoutId} is ${status}`,
        async () => (await request(`/checkout/${checkoutId}`)).body.status === status,
      ),
    refundsOf: async (transactionId) => (await request(`/refunds?transactionId=${transactionId}`)).body.data,
    stop: async () => {
      await stop(child);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
