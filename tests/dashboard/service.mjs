/*
 * The service with a sign-in provider, an account, people and payments.
 */
import { eventually, startService } from "../service.mjs";
import { startProvider } from "./sign_in_provider.mjs";

let provider;
const service = await startService(100, async (port) => {
  provider = await startProvider(`http://localhost:${port}`);
  return provider.settings;
});
export const { run } = service;
const api = `http://127.0.0.1:${service.port}/v1`;
/** The origin of the dashboard: on loopback its links name `localhost`. */
export const origin = `http://localhost:${service.port}`;
/* The names are what a merchant may type. */
export const account = run("account", "create", "--name", `<script>document.title = "run"</script> & 'Adom'`);

export function stop() {
  service.stop();
  provider.stop();
}

/** A request with the account's test key, or with a checkout token. */
export async function call(method, path, body, credential = account.keys.testV2) {
  const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const answer = await fetch(`${api}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
  return json;
}

/** A charge from a number; the last four digits choose what the sandbox does. */
export async function charge(amount, phoneNumber, reference) {
  const session = await call("POST", "/checkout", { amount, email: "payer@example.com", reference });
  const { transactionId } = await call("POST", "/charge", { phoneNumber, network: "MTN" }, session.checkoutToken);
  return transactionId;
}

/** Waits for the final status of a transaction. */
export async function final(transactionId) {
  return eventually("a final status", async () => {
    const { status } = await call("GET", `/status/${transactionId}`);
    return status !== "PENDING" && status;
  });
}
