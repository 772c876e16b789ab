import { execFile, spawn, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { TuaUsageError } from "./errors.js";
import { EXAMPLE_EVENTS } from "./generated/events.js";

const START_TIMEOUT_MS = 20_000;

export interface TestServiceOptions {
  /** The program `tua`. Default: `TUA_BIN`, else `tua` on the path. */
  program?: string | undefined;
  /** How many times as fast as usual the sandbox decides. Default: 20, so that a payment takes a tenth of a second. */
  speed?: number | undefined;
}

/** A service in test mode on a database of its own. */
export interface TestService {
  /** The API root, for the client. */
  baseUrl: string;
  /** A test key with all scopes, for the client. */
  secretKey: string;
  /** Adds the address of a shop that runs, and returns the endpoint's secret. */
  addWebhook(url: string): Promise<string>;
  /** Ends the service and deletes its database. */
  stop(): Promise<void>;
}

/** Starts a service for the tests of a shop. No network is needed. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { program = process.env["TUA_BIN"] || "tua", speed = 20 } = options;
  const folder = await mkdtemp(join(tmpdir(), "tua-"));
  const database = `sqlite://${join(folder, "tua.db")}`;
  const port = await findFreePort();
  const flags = ["--listen", `127.0.0.1:${port}`, "--database", database, "--sandbox-speed", String(speed)];
  const child = spawn(program, ["serve", ...flags], { cwd: folder, stdio: "ignore" });
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(program, [...args, "--database", database, "--json"], { cwd: folder });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  try {
    await waitUntilReady(child, `http://127.0.0.1:${port}/readyz`, program);
    const account = await run("account", "create", "--name", "Test");
    const addWebhook = async (url: string) => {
      const flags = ["--account", account["accountId"] as string, "--mode", "test", "--url", url];
      return (await run("webhook", "add", ...flags))["secret"] as string;
    };
    const { testV2 } = account["keys"] as { testV2: string };
    return { baseUrl: `http://127.0.0.1:${port}/v1`, secretKey: testV2, addWebhook, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A delivery as the service sends it: pass `body` and `headers` to the webhook's route. */
export interface SignedDelivery {
  body: string;
  headers: Record<string, string>;
}

/** Signs an event with the secret of an endpoint. `event` is the name of an example, or a body of your own. */
export function signDelivery(secret: string, event: string | object, id = "msg_test"): SignedDelivery {
  const content = typeof event === "string" ? exampleEvent(event) : event;
  const body = JSON.stringify(content);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
  return { body, headers: { ...headers, "content-type": "application/json" } };
}

/** The body of an example of an event, such as `checkout.paid`, as the OpenAPI document has it. */
export function exampleEvent(type: string): Record<string, unknown> {
  const event = EXAMPLE_EVENTS[type];
  if (!event) throw new TuaUsageError(`There is no event ${type}. There are ${Object.keys(EXAMPLE_EVENTS).join(", ")}.`);
  return structuredClone(event);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function waitUntilReady(child: ChildProcess, url: string, program: string): Promise<void> {
  let failure: string | undefined;
  child.once("error", (error) => (failure = error.message));
  child.once("exit", (code) => (failure ??= `it ended with ${code}`));
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline && failure === undefined) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new TuaUsageError(`${program} does not start: ${failure ?? "it is not ready in 20 seconds"}.`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((exited) => child.once("exit", exited));
  child.kill();
  await ended;
}
