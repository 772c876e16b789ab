// The files of docs/by-hand, which docs/reference/by-hand.md shows: the API without an SDK. Each begins a charge through a proxy
// that breaks connections, waits for its outcome, and verifies the deliveries of webhooks.json. A server that is not the API, or
// not always, shows what each takes for a verdict.
//
//   TUA_BIN=target/debug/tua node --test by-hand.test.mjs
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = path("../../docs/by-hand");
const vectors = JSON.parse(readFileSync(path("webhooks.json"), "utf8"));

/** Each program reads calls, `[name, arguments]`, and prints what each returns, or the class of what it throws. */
const languages = {
  "Node.js": [
    process.execPath,
    "--input-type=module",
    "-e",
    `import { readFileSync } from "node:fs";
     import * as tua from "${folder}/tua.mjs";
     const results = [];
     for (const [name, args] of JSON.parse(readFileSync(0, "utf8"))) {
       if (name === "verify") args[0] = Buffer.from(args[0]);
       try { results.push(await tua[name](...args)); } catch (error) { results.push({ error: error.constructor.name }); }
     }
     console.log(JSON.stringify(results));`,
  ],
  Python: [
    process.env.TUA_PYTHON ?? "python3",
    "-c",
    `import json, sys, tua
results = []
for name, args in json.load(sys.stdin):
    if name == "verify": args[0] = args[0].encode()
    try: results.append(getattr(tua, name)(*args))
    except Exception as error: results.append({"error": type(error).__name__})
print(json.dumps(results, default=str))`,
  ],
  PHP: [
    "php",
    "-r",
    `require '${folder}/tua.php';
     $results = [];
     foreach (json_decode(file_get_contents('php://stdin'), true) as [$name, $args]) {
         try { $results[] = $name(...$args); } catch (Throwable $error) { $results[] = ['error' => $error::class]; }
     }
     echo json_encode($results);`,
  ],
};

function play([program, ...args], calls, env = {}) {
  return new Promise((resolve, reject) => {
    const options = { timeout: 60_000, cwd: folder, env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: "1", TUA_API_URL: "", TUA_SECRET_KEY: "", ...env } };
    const child = execFile(program, args, options, (error, stdout, stderr) => (error ? reject(new Error(`${stdout}\n${stderr}`)) : resolve(JSON.parse(stdout))));
    child.stdin.end(JSON.stringify(calls));
  });
}

test("the page shows a delivery that is right", () => {
  const { secrets, headers, body } = vectors.find(({ name }) => name === "an event ping");
  const page = readFileSync(path("../../docs/reference/by-hand.md"), "utf8");
  for (const part of [...secrets, ...Object.values(headers), body]) assert.ok(page.includes(part), part);
});

const begun = { status: 202, body: { transactionId: "txn_1", status: "PENDING" } };
const refusal = (status, code) => ({ status, body: { code, detail: "No.", requestId: "req_1" } });
const page = { status: 502, body: "<html>" };

/** Responses to an idempotency key, in their order, and what the call of `create` then returns or throws. */
const verdicts = {
  "refused by the API": [[refusal(401, "invalid_credentials")], { error: "Refused" }],
  "refused after a page of a proxy": [[page, refusal(422, "invalid_amount")], { error: "Refused" }],
  "refused after the API was busy": [[refusal(429, "rate_limited"), refusal(401, "invalid_credentials")], { error: "Refused" }],
  "401 after a page of a proxy": [[page, refusal(401, "invalid_credentials")], { error: "Unknown" }],
  "403 after a fault of the API": [[refusal(500, "internal_error"), refusal(403, "scope_missing")], { error: "Unknown" }],
  "413 after an attempt that is under way": [[refusal(409, "idempotency_in_progress"), refusal(413, "body_too_large")], { error: "Unknown" }],
  "a 404 in JSON without a code": [[{ status: 404, body: { message: "no route" } }, begun], begun.body],
  "a 403 whose code is a number": [[{ status: 403, body: { code: 1020 } }, begun], begun.body],
  "a list": [[{ status: 400, body: [] }, begun], begun.body],
  "a redirect with a refusal": [[{ ...refusal(302, "moved"), headers: { location: "http://127.0.0.1:1/" } }, begun], begun.body],
  "a 200 in JSON of another server": [[{ status: 200, body: { status: "ok", requestId: "1" } }, begun], begun.body],
  "a date in Retry-After": [[{ ...page, headers: { "retry-after": "Fri, 27 Nov 2099 10:00:00 GMT" } }, begun], begun.body],
  "no time in Retry-After": [[{ ...page, headers: { "retry-after": "12 or so" } }, begun], begun.body],
};
/** Of these only the last one is the transaction. */
const statuses = [{ transactionId: "txn_2", status: "SUCCESSFUL" }, { transactionId: "txn_1" }, { transactionId: "txn_1", status: "FAILED" }];

/** Plays the verdicts: the n-th request with a key gets the n-th response. */
async function startOther() {
  const asked = new Map();
  const server = createServer((request, response) => {
    const key = request.headers["idempotency-key"] ?? "status";
    const steps = key === "status" ? statuses.map((body) => ({ status: 200, body })) : verdicts[key][0];
    const count = asked.get(key) ?? 0;
    asked.set(key, count + 1);
    const { status, headers = {}, body } = steps[Math.min(count, steps.length - 1)];
    request.resume();
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, asked };
}

for (const [language, program] of Object.entries(languages)) {
  test(`${language}: what is a verdict`, async () => {
    const { server, asked } = await startOther();
    try {
      const env = { TUA_API_URL: `http://127.0.0.1:${server.address().port}/v1`, TUA_SECRET_KEY: "tua_test_v2_other" };
      const calls = [...Object.keys(verdicts).map((name) => ["create", ["/charge", {}, name]]), ["wait", ["txn_1"]]];
      const results = await Promise.all(calls.map(async (call) => (await play(program, [call], env))[0]));
      assert.equal(results.pop().status, "FAILED");
      for (const [index, [name, [steps, expected]]] of Object.entries(verdicts).entries()) {
        assert.deepEqual([results[index], asked.get(name)], [expected, steps.length], name);
      }
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test(`${language}: a secret that is empty or too short verifies nothing`, async () => {
    const { headers, body, secrets, now } = vectors.find(({ name }) => name === "an event ping");
    const weak = ["", "whsec_", `whsec_${Buffer.alloc(23).toString("base64")}`];
    const signed = weak.map((secret) => {
      const key = Buffer.from(secret.replace("whsec_", ""), "base64");
      const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
      const signature = `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
      return ["verify", [body, { ...headers, "webhook-signature": signature }, [secret], now]];
    });
    const besides = ["verify", [body, headers, [...secrets, ""], now]];
    for (const { error } of await play(program, [...signed, besides])) assert.ok(error);
  });

  describe(`${language} without an SDK`, { skip: process.env.TUA_BIN ? false : "TUA_BIN is not set" }, () => {
    let child;
    let service;

    before(async () => {
      child = spawn(process.execPath, [path("service.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
      service = JSON.parse((await once(createInterface(child.stdout), "line"))[0]);
    });
    after(async () => {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    });

    test("a charge is begun once through broken connections, and its outcome is waited for", async () => {
      const env = { TUA_API_URL: service.faultyBaseUrl, TUA_SECRET_KEY: service.secretKey };
      const body = { amount: 10.5, phoneNumber: "0241234567", network: "MTN", reference: "order-17" };
      const [charge, again] = await play(program, [["create", ["/charge", body, "order-17-1"]], ["create", ["/charge", body, "order-17-1"]]], env);
      assert.equal(charge.transactionId, again.transactionId, JSON.stringify([charge, again]));
      const list = await fetch(`${service.baseUrl}/transactions?reference=order-17`, { headers: { "x-api-key": service.secretKey } });
      assert.equal((await list.json()).data.length, 1);
      const [ended] = await play(program, [["wait", [charge.transactionId]]], env);
      assert.equal(ended.status, "SUCCESSFUL", JSON.stringify(ended));
    });

    test("a refusal, a payment that stays pending, and no service", async () => {
      const env = { TUA_API_URL: service.baseUrl, TUA_SECRET_KEY: service.secretKey };
      const body = { amount: 10.5, phoneNumber: "0241230007", network: "MTN" };
      const [refused, charge] = await play(program, [["create", ["/charge", { ...body, amount: 0 }, "refused"]], ["create", ["/charge", body, "pending"]]], env);
      assert.deepEqual(refused, { error: "Refused" });
      const [pending] = await play(program, [["wait", [charge.transactionId, 1]]], env);
      assert.equal(pending.status, "PENDING");
      const [unknown] = await play(program, [["create", ["/charge", body, "nowhere"]]], { ...env, TUA_API_URL: "http://127.0.0.1:1/v1" });
      assert.deepEqual(unknown, { error: "Unknown" });
    });

    test("deliveries are verified as the SDKs verify them", async () => {
      // What the body of a right delivery says is read by the SDKs alone.
      const read = vectors.filter(({ expect }) => expect.error !== "invalid_body");
      const results = await play(program, read.map(({ body, headers, secrets, now }) => ["verify", [body, headers, secrets, now]]));
      for (const [index, { name, expect, body }] of read.entries()) {
        const { error, id, type } = results[index];
        if (expect.event) assert.deepEqual({ id, type }, { id: expect.event.id, type: JSON.parse(body).type }, `${name}: ${error}`);
        else assert.ok(error, name);
      }
    });
  });
}
