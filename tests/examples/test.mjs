// Starts the real service and each example shop, and buys in each as a payer does: once with a webhook that arrives, and
// once without. Prints one line for each check, and exits with 1 if one failed.
//
//   TUA_BIN=target/debug/tua node test.mjs '<command>' '<folder>' …
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TIMEOUT_MS = 20_000;
const PAYER = "0241234567";

const tua = process.env.TUA_BIN;
const folder = mkdtempSync(join(tmpdir(), "tua-examples-"));
const children = [];
let [passed, failed] = [0, 0];

function run(...args) {
  const env = { ...process.env, TUA_DATABASE: `sqlite://${join(folder, "tua.db")}` };
  return JSON.parse(execFileSync(tua, [...args, "--json"], { env, cwd: folder, encoding: "utf8" }));
}

function start(command, args, options) {
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], ...options });
  children.push(child);
  return child;
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

async function eventually(what, check) {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await check().catch(() => undefined);
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`timed out: ${what}`);
    await new Promise((later) => setTimeout(later, 100));
  }
}

async function check(title, test) {
  try {
    await test();
    passed += 1;
    console.log(`ok      ${title}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${title}: ${error.message}`);
  }
}

function expect(found, wanted, what) {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
}

async function text(url) {
  return (await fetch(url)).text();
}

/** Presses the shop's button and opens the hosted page. Returns the checkout token and the address of the order's page. */
async function buy(shop, service) {
  const answer = await fetch(`${shop}/buy`, { method: "POST", redirect: "manual" });
  expect(answer.status, 303, "the shop's status");
  const url = answer.headers.get("location");
  expect((await fetch(url)).status, 200, "the hosted page's status");
  const token = new URL(url).searchParams.get("key");
  const session = await (await fetch(`${service}/v1/checkout`, { headers: { authorization: `Bearer ${token}` } })).json();
  return { token, order: session.returnUrl };
}

async function pay(service, token) {
  const answer = await fetch(`${service}/v1/charge`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ phoneNumber: PAYER, network: "MTN" }),
  });
  expect(answer.status, 202, "the charge's status");
}

async function tryShop(command, args, cwd, service, account) {
  const port = await freePort();
  const shop = `http://127.0.0.1:${port}`;
  const name = cwd.split("/").at(-1);
  const added = run("webhook", "add", "--account", account.accountId, "--mode", "test", "--url", `${shop}/webhooks`);
  const env = {
    ...process.env,
    PORT: String(port),
    SHOP_URL: shop,
    TUA_URL: service,
    TUA_SECRET_KEY: account.keys.testV2,
    TUA_WEBHOOK_SECRET: added.secret,
    ORDERS_FILE: join(folder, `${name}.json`),
  };
  const output = [];
  const child = start(command, args.map((arg) => arg.replace("PORT", port)), { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => output.push(String(data)));
  const said = (what) => output.join("").split(what).length - 1;
  await check(`${name} starts`, () => eventually("the shop's page", async () => (await text(shop)).includes("Buy for GHS 18.00")));
  await check(`${name} sends the payer to the hosted page, and learns from the webhook that the order is paid`, async () => {
    const { token, order } = await buy(shop, service);
    if (!(await text(order)).includes("not paid yet")) throw new Error(await text(order));
    await pay(service, token);
    await eventually("the webhook", async () => said("is paid") === 1);
    if (!(await text(order)).includes("The order is paid")) throw new Error(await text(order));
  });
  await check(`${name} marks an order once`, async () => {
    const [paid] = run("webhook", "deliveries", "--endpoint", added.endpointId).filter((delivery) => delivery.type === "checkout.paid");
    run("webhook", "replay", paid.deliveryId);
    const again = () => run("webhook", "deliveries", "--endpoint", added.endpointId).find(({ deliveryId }) => deliveryId === paid.deliveryId);
    await eventually("the repeated webhook", async () => again().lastAttemptAt !== paid.lastAttemptAt && again().status === "DELIVERED");
    expect(said("is paid"), 1, "how often it is marked");
  });
  await check(`${name} refuses a webhook with a wrong signature`, async () => {
    const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)), "webhook-signature": "v1,AAAA" };
    const forged = await fetch(`${shop}/webhooks`, { method: "POST", headers, body: '{"type":"checkout.paid","data":{}}' });
    expect(forged.status, 400, "its status");
  });
  await check(`${name} asks the API when the payer comes back before the webhook`, async () => {
    run("webhook", "remove", added.endpointId);
    const { token, order } = await buy(shop, service);
    await pay(service, token);
    await eventually("the order is paid", async () => (await text(order)).includes("The order is paid"));
    expect(said("is paid"), 2, "how often orders are marked");
  });
  child.kill();
}

const port = await freePort();
const service = `http://127.0.0.1:${port}`;
try {
  const account = run("account", "create", "--name", "Adom Stores");
  const flags = ["--listen", `127.0.0.1:${port}`, "--database", `sqlite://${join(folder, "tua.db")}`, "--sandbox-speed", "20"];
  start(tua, ["serve", ...flags], { cwd: folder, stdio: "ignore" });
  await eventually("the service", async () => (await fetch(`${service}/readyz`)).ok);
  const shops = process.argv.slice(2);
  for (let index = 0; index < shops.length; index += 2) {
    const [command, ...args] = shops[index].split(" ");
    await tryShop(command, args, shops[index + 1], service, account);
  }
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`test result: ${failed > 0 ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
