/*
 * The real service with an account, people and payments, on a database of its own.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TIMEOUT_MS = 20_000;

const tua = process.env.TUA_BIN;
const folder = mkdtempSync(join(tmpdir(), "tua-dashboard-"));
const database = `sqlite://${join(folder, "tua.db")}`;

/** A command, and the JSON that it prints. */
export function run(...args) {
  return JSON.parse(execFileSync(tua, [...args, "--database", database, "--json"], { cwd: folder, encoding: "utf8" }));
}

/** Repeats a check until it returns something. */
export async function eventually(what, check) {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await check().catch(() => undefined);
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`timed out: ${what}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

const port = await freePort();
const api = `http://127.0.0.1:${port}/v1`;
/** The origin of the dashboard: on loopback its links name `localhost`. */
export const origin = `http://localhost:${port}`;
/* The names are what a merchant may type. */
export const account = run("account", "create", "--name", `<script>document.title = "run"</script> & 'Adom'`);

const flags = ["--listen", `127.0.0.1:${port}`, "--database", database, "--sandbox-speed", "100"];
const child = spawn(tua, ["serve", ...flags], { cwd: folder, stdio: "ignore" });
await eventually("the service", async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);

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

export function stop() {
  child.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
