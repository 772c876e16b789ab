// The requests of docs/requests, which the documentation shows: each runs as it is shown, against the real service. It must
// end well, print what it is about, and have sent the request of the operation that it is named after.
//
//   TUA_BIN=target/debug/tua TUA_PYTHON=python node --test requests.test.mjs
//
// TUA_BIN is the service, and TUA_PYTHON a Python that has the packages which the SDK for Python needs.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually, startService } from "../../tests/service.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const requests = join(root, "docs/requests");
const openapi = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8"));
const programs = { sh: "sh", mjs: process.execPath, py: process.env.TUA_PYTHON ?? "python3", php: "php" };
/** What a program of a server does not ask: the page of a payer does, or a person. */
const CURL_ALONE = ["readCheckout", "followLogs", "isAlive", "isReady", "readDocument"];

/** What has to exist before a request, as environment variables, what the request must print, and what is true afterwards. */
const cases = {
  createCheckout: { prints: /(?=.*chk_).*\/pay\?key=/s },
  createCharge: { prints: /txn_/ },
  createPayout: { prints: /txn_/ },
  cancelPayout: { before: payout, prints: /FAILED.*cancelled/s },
  createPayoutBatch: { prints: /bat_/ },
  readPayoutBatch: { before: batch, prints: /PENDING/ },
  cancelPayoutBatch: { before: batch, prints: /COMPLETED/ },
  createQuote: { prints: /120/ },
  submitOtp: { before: voucherCharge, prints: /PENDING|SUCCESSFUL/, after: isPaid },
  createRefund: { before: paidCharge, prints: /PENDING/ },
  readRefund: { before: refund, prints: /PENDING/ },
  cancelRefund: { before: refund, prints: /FAILED/ },
  listRefunds: { before: refund, prints: /txn_.*4\.2/s },
  listTransactions: { before: paidCharge, prints: /txn_/ },
  listCheckouts: { before: checkout, prints: /chk_.*order-17/s },
  listLinks: { before: link, prints: /lnk_|\/l\// },
  listWebhookEndpoints: { before: endpoint, prints: /shop\.example.*ENABLED|ENABLED.*shop\.example/s },
  readSession: { before: checkout, prints: /OPEN/ },
  readCheckout: { before: checkout, prints: /OPEN/ },
  closeCheckout: { before: checkout, prints: /CLOSED/ },
  createLink: { prints: /\/l\// },
  readLink: { before: link, prints: /OPEN/ },
  closeLink: { before: link, prints: /CLOSED/ },
  reopenLink: { before: closedLink, prints: /OPEN/ },
  readStatus: { before: charge, prints: /SUCCESSFUL/ },
  listNetworks: { prints: /MTN.*OPERATIONAL/s },
  listEvents: { before: event, prints: /charge\./ },
  readEvent: { before: event, prints: /charge\./ },
  createWebhookEndpoint: { prints: /whsec_/ },
  readWebhookEndpoint: { before: endpoint, prints: /ENABLED/ },
  disableWebhookEndpoint: { before: endpoint, prints: /DISABLED/ },
  removeWebhookEndpoint: { before: endpoint, prints: /REMOVED/ },
  enableWebhookEndpoint: { before: disabledEndpoint, prints: /ENABLED/ },
  rotateWebhookSecret: { before: endpoint, prints: /whsec_/ },
  advanceSandboxClock: { before: checkout, prints: /"checkouts": ?1[,}]|^1 \d+$/m },
  followLogs: { prints: /requests/ },
  isAlive: { prints: /^/ },
  isReady: { prints: /^/ },
  readDocument: { prints: /openapi/ },
};

const WALLET = { amount: 10.5, phoneNumber: "0241234567", network: "MTN" };

async function charge(call) {
  return { TRANSACTION_ID: (await call("/charge", WALLET)).transactionId };
}

async function paidCharge(call) {
  const made = await charge(call);
  await isPaid(call, made);
  return made;
}

async function isPaid(call, { TRANSACTION_ID }) {
  await eventually("the charge", async () => (await call(`/status/${TRANSACTION_ID}`)).status === "SUCCESSFUL");
}

async function voucherCharge(call) {
  return { TRANSACTION_ID: (await call("/charge", { ...WALLET, network: "TELECEL" })).transactionId };
}

async function payout(call) {
  return { TRANSACTION_ID: (await call("/payout", WALLET)).transactionId };
}

async function batch(call) {
  return { BATCH_ID: (await call("/payouts/batches", { payouts: [WALLET] })).batchId };
}

async function refund(call) {
  const made = await paidCharge(call);
  const { refundId } = await call("/refunds", { transactionId: made.TRANSACTION_ID, amount: 4.2 });
  return { ...made, REFUND_ID: refundId };
}

async function checkout(call) {
  const made = await call("/checkout", { amount: 18, email: "ama@example.com", reference: "order-17" });
  return { CHECKOUT_ID: made.checkoutId, CHECKOUT_TOKEN: made.checkoutToken };
}

async function link(call) {
  return { LINK_ID: (await call("/links", { title: "Adom choir: robe", amount: 10.5 })).linkId };
}

async function closedLink(call) {
  const made = await link(call);
  await call(`/links/${made.LINK_ID}/close`, {});
  return made;
}

async function event(call) {
  await call("/events");
  await charge(call);
  const find = async () => (await call("/events?after=")).data.find(({ type }) => type === "charge.pending");
  return { EVENT_ID: (await eventually("the event", find)).eventId };
}

async function endpoint(call) {
  return { ENDPOINT_ID: (await call("/webhooks", { url: "https://shop.example/webhooks" })).endpointId };
}

async function disabledEndpoint(call) {
  const made = await endpoint(call);
  await call(`/webhooks/${made.ENDPOINT_ID}/disable`, {});
  return made;
}

/** Each operation of the document: the request that it is, as `POST /v1/links/{linkId}/close`. */
function operations() {
  const all = new Map();
  for (const [path, item] of Object.entries(openapi.paths)) {
    const base = new URL((item.servers ?? openapi.servers)[0].url).pathname.replace(/\/$/, "");
    for (const [method, { operationId }] of Object.entries(item)) {
      if (operationId) all.set(operationId, `${method.toUpperCase()} ${base}${path}`);
    }
  }
  return all;
}

/** A folder with the requests and the SDKs, as a program finds them that installed the packages. */
function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), "tua-requests-"));
  cpSync(requests, folder, { recursive: true });
  mkdirSync(join(folder, "node_modules/@tua-pay"), { recursive: true });
  symlinkSync(join(root, "sdks/typescript"), join(folder, "node_modules/@tua-pay/node"));
  mkdirSync(join(folder, "vendor"));
  writeFileSync(join(folder, "vendor/autoload.php"), `<?php require '${join(root, "sdks/php/tests/bootstrap.php")}';`);
  // A refusal is a failure of curl too.
  writeFileSync(join(folder, ".curlrc"), "fail-with-body\nsilent\nshow-error\n");
  return folder;
}

/** Runs a program; it fails where the program fails. Returns what it prints. */
function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: 60_000, ...options }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
    child.stdin.end();
  });
}

test("every operation of the document has its requests", () => {
  const expected = [...operations().keys()].flatMap((name) => {
    const languages = CURL_ALONE.includes(name) ? ["sh"] : Object.keys(programs);
    return languages.map((language) => `${name}.${language}`);
  });
  assert.deepEqual(readdirSync(requests).sort(), expected.sort());
  assert.deepEqual(Object.keys(cases).sort(), [...operations().keys()].sort());
});

describe("a request of the documentation", { concurrency: 4, skip: process.env.TUA_BIN ? false : "TUA_BIN is not set" }, () => {
  let service;
  let folder;
  let proxy;
  /** What the programs sent, by key. */
  const sent = new Map();

  before(async () => {
    folder = makeFolder();
    service = await startService(20);
    proxy = createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const { host, connection, "content-length": length, ...headers } = request.headers;
      // A program has an address of its own: /NAME/v1/…
      const [, name, ...path] = request.url.split("/");
      sent.get(name).push(`${request.method} /${path.join("/").split("?")[0]}`);
      const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
      const answer = await fetch(`http://127.0.0.1:${service.port}/${path.join("/")}`, { method: request.method, headers, body });
      const type = answer.headers.get("content-type");
      response.writeHead(answer.status, type ? { "content-type": type } : {}).end(Buffer.from(await answer.arrayBuffer()));
    }).listen(0, "127.0.0.1");
    await new Promise((listening) => proxy.once("listening", listening));
  });
  after(() => {
    service?.stop();
    proxy?.close();
    proxy?.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const file of readdirSync(requests)) {
    const [operation, language] = file.split(".");
    test(file, async () => {
      const account = service.run("account", "create", "--name", "Adom Stores");
      const limits = ["--payout-approval-above", "1", "--refund-approval-above", "1"];
      service.run("account", "set", "--account", account.accountId, "--mode", "test", ...limits);
      const call = async (path, body) => {
        const headers = { "x-api-key": account.keys.testV2, "content-type": "application/json", "idempotency-key": `before${path}` };
        const options = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
        const answer = await fetch(`http://127.0.0.1:${service.port}/v1${path}`, options);
        assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
        return answer.json();
      };
      const { before: prepare, prints, after: verify } = cases[operation];
      const ids = prepare ? await prepare(call) : {};
      const name = file.replace(".", "-");
      sent.set(name, []);
      const env = {
        PATH: process.env.PATH,
        CURL_HOME: folder,
        PYTHONPATH: join(root, "sdks/python/src"),
        PYTHONDONTWRITEBYTECODE: "1",
        TUA_API_URL: `http://127.0.0.1:${proxy.address().port}/${name}/v1`,
        TUA_SECRET_KEY: account.keys.testV2,
        ...ids,
      };
      assert.match(await run(programs[language], [file], { cwd: folder, env }), prints);
      const pattern = new RegExp(`^${operations().get(operation).replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      assert.ok(sent.get(name).some((one) => pattern.test(one)), `${sent.get(name)} instead of ${pattern}`);
      await verify?.(call, ids);
    });
  }
});
