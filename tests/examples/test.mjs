// Starts the real service and each example shop, and buys in each as a payer does: once with a webhook that arrives, and
// once without. Prints one line for each check, and exits with 1 if one failed.
//
//   TUA_BIN=target/debug/tua node test.mjs '<command>' '<folder>' …
import { spawn } from "node:child_process";
import { join } from "node:path";
import { eventually, freePort, startService } from "../service.mjs";

const PAYER = "0241234567";

const { folder, port: servicePort, run, stop } = await startService(20);
const service = `http://127.0.0.1:${servicePort}`;
const children = [];
let [passed, failed] = [0, 0];

function start(command, args, options) {
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], ...options });
  children.push(child);
  return child;
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

async function tryShop(command, args, cwd, account) {
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

try {
  const account = run("account", "create", "--name", "Adom Stores");
  const shops = process.argv.slice(2);
  for (let index = 0; index < shops.length; index += 2) {
    const [command, ...args] = shops[index].split(" ");
    await tryShop(command, args, shops[index + 1], account);
  }
} finally {
  for (const child of children) child.kill();
  stop();
}
console.log(`test result: ${failed > 0 ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
