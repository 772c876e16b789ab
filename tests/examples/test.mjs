// Starts the real service and each example shop, and buys in each as a payer does: with a webhook that arrives and
// without, with a service that is down at the worst moments, with a failed attempt, and with a checkout that expired.
//
//   TUA_BIN=target/debug/tua node --test-reporter=spec test.mjs '<server>' '<command that asks about open orders, or nothing>' '<folder>' …
import test, { after } from "node:test";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TIMEOUT_MS } from "../check.mjs";
import { eventually, freePort, startService } from "../service.mjs";

const PAYER = "0241234567";
const POOR_PAYER = "0241230001";
// What a page must never show while it is not known whether the money moved.
const HARMFUL = /no money moved|try again|not paid|failed/i;

const SDKS = fileURLToPath(new URL("../../sdks", import.meta.url));

const tua = await startService(20);
const service = `http://127.0.0.1:${tua.port}`;
const children = [];

function start(command, args, options) {
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], ...options });
  children.push(child);
  return child;
}

function expect(found, wanted, what) {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
}

function expectText(page, wanted) {
  if (!page.includes(wanted)) throw new Error(`no "${wanted}" in: ${page}`);
}

async function text(url) {
  return (await fetch(url)).text();
}

/** Presses a button that sends the payer to the hosted page, and opens it. Returns the token and the order's page. */
async function openPayment(button) {
  const answer = await fetch(button, { method: "POST", redirect: "manual" });
  expect(answer.status, 303, "the shop's status");
  const url = answer.headers.get("location");
  expect((await fetch(url)).status, 200, "the hosted page's status");
  const token = new URL(url).searchParams.get("key");
  const session = await (await fetch(`${service}/v1/checkout`, { headers: { authorization: `Bearer ${token}` } })).json();
  return { token, checkoutId: session.checkoutId, order: session.returnUrl };
}

async function pay(token, phoneNumber = PAYER) {
  const answer = await fetch(`${service}/v1/charge`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ phoneNumber, network: "MTN" }),
  });
  expect(answer.status, 202, "the charge's status");
}

/**
 * Stands between the shops and the service. While `spoil` is set, it spoils the shops' answers: "login" is a page that is
 * no checkout, "cut" breaks off in the body, "lost" forwards the request, but not the answer. The checkout with
 * the id `unpaid` is shown as a paid one of which a review found that no money arrived; if it has a charge, that one is pending.
 */
async function startProxy() {
  const proxy = { spoil: null, unpaid: null, spoiled: 0, opened: null, url: "" };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host, connection, "content-length": length, ...headers } = request.headers;
    if (proxy.spoil) proxy.spoiled += 1;
    if (proxy.spoil === "login") return response.end('{"login":"required"}');
    if (proxy.spoil === "cut") {
      response.writeHead(200, { "content-length": "100" }).write("{");
      return setTimeout(() => response.destroy(), 20);
    }
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const answer = await fetch(service + request.url, { method: request.method, headers, body }).catch(() => null);
    if (!answer) return response.destroy();
    const text = await answer.text();
    if (proxy.spoil === "lost") {
      proxy.opened = JSON.parse(text);
      return response.destroy();
    }
    const isUnpaid = request.method === "GET" && request.url === `/v1/checkout/${proxy.unpaid}`;
    response.writeHead(answer.status, { "content-type": "application/json" }).end(isUnpaid ? toUnpaid(text) : text);
  }).listen(await freePort(), "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  server.unref();
  return Object.assign(proxy, { url: `http://127.0.0.1:${server.address().port}` });
}

function toUnpaid(text) {
  const session = JSON.parse(text);
  const transaction = session.transaction && { ...session.transaction, status: "PENDING" };
  return JSON.stringify({ ...session, status: "PAID", paidTransaction: null, transaction });
}

/**
 * Stands for `composer install` where a shop has a composer.json: no registry is needed, because the classes are those of
 * the SDK's folder and of Debian's packages.
 */
function installPhpPackages(folder) {
  if (!existsSync(join(folder, "composer.json")) || existsSync(join(folder, "vendor"))) return;
  mkdirSync(join(folder, "vendor"));
  const bootstrap = JSON.stringify(join(SDKS, "php/tests/bootstrap.php"));
  writeFileSync(join(folder, "vendor/autoload.php"), `<?php require ${bootstrap};\n`);
}

async function tryShop(server, asks, cwd, account) {
  const port = await freePort();
  const shop = `http://127.0.0.1:${port}`;
  const name = basename(cwd);
  const proxy = await startProxy();
  const { run } = tua;
  installPhpPackages(cwd);
  const added = run("webhook", "add", "--account", account.accountId, "--mode", "test", "--url", `${shop}/webhooks`);
  const env = {
    ...process.env,
    PORT: String(port),
    SHOP_URL: shop,
    CHECK_SECONDS: "0.2",
    TUA_API_URL: `${proxy.url}/v1`,
    TUA_SECRET_KEY: account.keys.testV2,
    TUA_WEBHOOK_SECRET: added.secret,
    PYTHONPATH: join(SDKS, "python/src"),
    ORDERS_FILE: join(tua.folder, `${name}.json`),
  };
  const output = [];
  const runShop = (line, ownPort = port, others = {}) => {
    const [command, ...args] = line.split(" ");
    const options = { cwd, env: { ...env, ...others }, stdio: ["ignore", "pipe", "pipe"] };
    const child = start(command, args.map((arg) => arg.replace("PORT", ownPort)), options);
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => output.push(String(data)));
    return child;
  };
  const said = (what) => output.join("").split(what).length - 1;
  await test(`${name} takes a variable that is empty as unset`, async () => {
    const ownPort = await freePort();
    const child = runShop(server, ownPort, { PORT: String(ownPort), CHECK_SECONDS: "", SHOP_URL: "", TUA_API_URL: "" });
    await eventually("the shop's page", async () => (await text(`http://127.0.0.1:${ownPort}`)).includes("Buy for GHS 18.00"));
    child.kill();
  });
  const child = runShop(server);
  await test(`${name} starts`, () => eventually("the shop's page", async () => (await text(shop)).includes("Buy for GHS 18.00")));
  await test(`${name} sends the payer to the hosted page, and learns from the webhook that the order is paid`, async () => {
    const { token, order } = await openPayment(`${shop}/buy`);
    expectText(await text(order), "not paid yet");
    await pay(token);
    await eventually("the webhook", async () => said("is paid") === 1);
    expectText(await text(order), "The order is paid");
  });
  await test(`${name} marks an order once`, async () => {
    const [paid] = run("webhook", "deliveries", "--endpoint", added.endpointId).filter((delivery) => delivery.type === "checkout.paid");
    run("webhook", "replay", paid.deliveryId);
    const again = () => run("webhook", "deliveries", "--endpoint", added.endpointId).find(({ deliveryId }) => deliveryId === paid.deliveryId);
    await eventually("the repeated webhook", async () => again().lastAttemptAt !== paid.lastAttemptAt && again().status === "DELIVERED");
    expect(said("is paid"), 1, "how often it is marked");
  });
  await test(`${name} refuses a webhook with a wrong signature`, async () => {
    const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)), "webhook-signature": "v1,AAAA" };
    const forged = await fetch(`${shop}/webhooks`, { method: "POST", headers, body: '{"type":"checkout.paid","data":{}}' });
    expect(forged.status, 400, "its status");
    await eventually("a line that says which setting to change", async () => output.join("").includes("TUA_WEBHOOK_SECRET in the examples"));
    expect(output.join("").includes(added.secret), false, "whether the log has the secret");
  });
  run("webhook", "remove", added.endpointId);
  await test(`${name} asks the API when the payer comes back before the webhook`, async () => {
    const { token, order } = await openPayment(`${shop}/buy`);
    await pay(token);
    await eventually("the order is paid", async () => (await text(order)).includes("The order is paid"));
    expect(said("is paid"), 2, "how often orders are marked");
  });
  await test(`${name} says that nothing is known of a payment while the service is down, and finds it later`, async () => {
    const { token, order } = await openPayment(`${shop}/buy`);
    await pay(token);
    await tua.withoutService(async () => {
      for (const answer of [await fetch(order), await fetch(`${order}/pay`, { method: "POST", redirect: "manual" })]) {
        const page = await answer.text();
        expectText(page, "please do not pay again");
        if (HARMFUL.test(page)) throw new Error(page);
        expect(answer.headers.get("refresh"), "10", "the header refresh");
      }
    });
    // Without a webhook, and without a payer who comes back.
    await eventually("the payment is found by asking", async () => {
      if (asks) runShop(asks);
      return said("is paid") === 3;
    });
    expectText(await text(order), "The order is paid");
  });
  await test(`${name} offers to try again where a payment could not begin, and opens one checkout`, async () => {
    let button;
    await tua.withoutService(async () => {
      const answer = await fetch(`${shop}/buy`, { method: "POST", redirect: "manual" });
      expect(answer.status, 502, "the shop's status");
      const page = await answer.text();
      expectText(page, "No money moved");
      button = shop + page.match(/action="([^"]+)"/)[1];
    });
    const { checkoutId } = await openPayment(button);
    expect((await openPayment(button)).checkoutId, checkoutId, "the checkout after a second press");
  });
  await test(`${name} shows why an attempt failed, and the payer pays with the same checkout`, async () => {
    const { token, order } = await openPayment(`${shop}/buy`);
    await pay(token, POOR_PAYER);
    await eventually("the reason", async () => (await text(order)).includes("enough money"));
    await pay((await openPayment(`${order}/pay`)).token);
    await eventually("the order is paid", async () => (await text(order)).includes("The order is paid"));
  });
  await test(`${name} opens a new checkout where the old one has expired`, async () => {
    const { checkoutId, order } = await openPayment(`${shop}/buy`);
    run("sandbox", "expire", checkoutId);
    await eventually("the expiry", async () => (await text(order)).includes("not paid in time"));
    const next = await openPayment(`${order}/pay`);
    if (next.checkoutId === checkoutId) throw new Error("it is the checkout that has expired");
    await pay(next.token);
    await eventually("the order is paid", async () => (await text(order)).includes("The order is paid"));
  });
  await test(`${name} opens a new checkout where no money of the old one arrived`, async () => {
    const before = said("is paid");
    const { checkoutId, order } = await openPayment(`${shop}/buy`);
    proxy.unpaid = checkoutId;
    expectText(await text(order), "No money moved");
    const next = await openPayment(`${order}/pay`);
    if (next.checkoutId === checkoutId) throw new Error("it is the checkout whose money did not arrive");
    expect(said("is paid"), before, "how often orders are marked");
  });
  await test(`${name} waits where another charge of such a checkout is pending`, async () => {
    const before = said("is paid");
    const { token, checkoutId, order } = await openPayment(`${shop}/buy`);
    await pay(token);
    proxy.unpaid = checkoutId;
    expectText(await text(order), "Please do not pay again");
    proxy.unpaid = null;
    await eventually("the order is paid", async () => (await text(order)).includes("The order is paid"));
    expect(said("is paid"), before + 1, "how often orders are marked");
  });
  await test(`${name} opens one checkout where two presses find that the old one has expired`, async () => {
    const { checkoutId, order } = await openPayment(`${shop}/buy`);
    run("sandbox", "expire", checkoutId);
    const both = await Promise.all([openPayment(`${order}/pay`), openPayment(`${order}/pay`)]);
    expect(both[0].checkoutId, both[1].checkoutId, "the checkout of the other press");
    expect((await openPayment(`${order}/pay`)).checkoutId, both[0].checkoutId, "the checkout of a third press");
  });
  await test(`${name} opens a new checkout where the answer was lost and the old one has expired`, async () => {
    proxy.spoil = "lost";
    const page = await (await fetch(`${shop}/buy`, { method: "POST", redirect: "manual" })).text();
    proxy.spoil = null;
    expectText(page, "No money moved");
    run("sandbox", "expire", proxy.opened.checkoutId);
    const next = await openPayment(shop + page.match(/action="([^"]+)"/)[1]);
    if (next.checkoutId === proxy.opened.checkoutId) throw new Error("it is the checkout that has expired");
  });
  await test(`${name} goes on asking after answers that are none`, async () => {
    const { token, order } = await openPayment(`${shop}/buy`);
    const before = said("is paid");
    for (const spoil of ["login", "cut"]) {
      proxy.spoil = spoil;
      const spoiled = proxy.spoiled;
      if (asks) runShop(asks);
      await eventually("the shop asks", async () => proxy.spoiled > spoiled);
      const page = await text(order);
      expectText(page, "please do not pay again");
      expect(HARMFUL.test(page), false, "whether the page says too much");
    }
    proxy.spoil = null;
    await pay(token);
    await eventually("the payment is found by asking", async () => {
      if (asks) runShop(asks);
      return said("is paid") > before;
    });
    if (/Warning|Traceback/.test(output.join(""))) throw new Error(output.join(""));
  });
  child.kill();
}

after(() => {
  for (const child of children) child.kill();
  tua.stop();
});
const account = tua.run("account", "create", "--name", "Adom Stores");
const shops = process.argv.slice(2);
for (let index = 0; index < shops.length; index += 3) {
  const [server, asks, folder] = shops.slice(index, index + 3);
  test(basename(folder), { timeout: TIMEOUT_MS }, () => tryShop(server, asks, folder, account));
}
