// The files of docs/by-hand, which docs/reference/by-hand.md shows: the API without an SDK. Each begins a charge through a proxy
// that breaks connections, waits for its outcome, and verifies the deliveries of webhooks.json. A server with prepared responses
// shows what each response means to them.
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
import { readRequest, send } from "./faults.mjs";

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
from decimal import Decimal
results = []
for name, args in json.load(sys.stdin, parse_float=Decimal):
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

const OTHER_KEY = "tua_test_v2_other";

/** What the calls return. `calls` may be their JSON, where a number needs its digits. Fails where the program fails. */
function runCalls([program, ...args], calls, env = {}) {
  return new Promise((resolve, reject) => {
    const others = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: "1", TUA_API_URL: "http://127.0.0.1:1/v1", TUA_SECRET_KEY: OTHER_KEY };
    const options = { timeout: 120_000, cwd: folder, env: { ...others, ...env } };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error || stdout === "") reject(new Error(`${stdout}\n${stderr}`));
      else resolve(JSON.parse(stdout));
    });
    child.stdin.on("error", () => {}).end(typeof calls === "string" ? calls : JSON.stringify(calls));
  });
}

test("the page shows a delivery that is right", () => {
  const { secrets, headers, body } = vectors.find(({ name }) => name === "an event ping");
  const page = readFileSync(path("../../docs/reference/by-hand.md"), "utf8");
  for (const part of [...secrets, ...Object.values(headers), body]) assert.ok(page.includes(part), part);
});

const begun = { status: 202, body: { transactionId: "txn_1", status: "PENDING" } };
const pending = { ...begun, status: 200 };
const ended = { status: 200, body: { transactionId: "txn_1", status: "FAILED" } };
const refusal = (status, code, retryAfter) => ({
  status,
  headers: retryAfter ? { "retry-after": retryAfter } : {},
  body: { code, detail: "No.", requestId: "req_1" },
});
const page = { status: 502, body: "<html>" };
const drip = { fault: "drip", status: 200 };
const dripHeaders = { fault: "drip-headers", status: 200 };
const refused = { error: "Refused" };
const unknown = { error: "Unknown" };

/** Responses to an idempotency key, in their order, and what the call of `create` then returns or throws. */
const creations = {
  "refused by the API": [[refusal(401, "invalid_credentials")], refused],
  "refused after a page of a proxy": [[page, refusal(422, "invalid_amount")], refused],
  "refused after the API was busy": [[refusal(429, "rate_limited"), refusal(401, "invalid_credentials")], refused],
  "401 after a page of a proxy": [[page, refusal(401, "invalid_credentials")], unknown],
  "403 after a fault of the API": [[refusal(500, "internal_error"), refusal(403, "scope_missing")], unknown],
  "413 after an attempt that is under way": [[refusal(409, "idempotency_in_progress"), refusal(413, "body_too_large")], unknown],
  "a 404 in JSON without a code": [[{ status: 404, body: { message: "no route" } }, begun], begun.body],
  "a 403 whose code is a number": [[{ status: 403, body: { code: 1020 } }, begun], begun.body],
  "a list": [[{ status: 400, body: [] }, begun], begun.body],
  "a redirect with a refusal": [[{ ...refusal(302, "moved"), headers: { location: "http://127.0.0.1:1/" } }, begun], begun.body],
  "a 200 in JSON of another server": [[{ status: 200, body: { status: "ok", requestId: "1" } }, begun], begun.body],
  "a date in Retry-After": [[{ ...page, headers: { "retry-after": "Fri, 27 Nov 2099 10:00:00 GMT" } }, begun], begun.body],
  "no time in Retry-After": [[{ ...page, headers: { "retry-after": "12 or so" } }, begun], begun.body],
  "three seconds of Retry-After": [[refusal(429, "rate_limited", "3"), begun], begun.body],
  "three seconds of Retry-After from a proxy": [[{ ...page, headers: { "retry-after": "3" } }, begun], begun.body],
  "a long Retry-After": [[refusal(429, "rate_limited", "200")], refused],
  "a long Retry-After after a page of a proxy": [[page, refusal(429, "rate_limited", "200")], unknown],
  "busy four times": [[1, 2, 3, 4].map(() => refusal(429, "rate_limited")), refused],
  "no operator": [[refusal(503, "network_unavailable")], refused],
  "no operator after a page of a proxy": [[page, refusal(503, "network_unavailable")], refused],
  "401 after the operators were down": [[refusal(503, "network_unavailable", "1"), refusal(401, "invalid_credentials")], refused],
};
/** The same of a call that repeats an earlier one. */
const repetitions = {
  "a key that was rotated": [[refusal(401, "invalid_credentials")], unknown],
  "a body that differs": [[refusal(422, "idempotency_key_reused")], unknown],
  "busy four times, repeated": [[1, 2, 3, 4].map(() => refusal(429, "rate_limited")), unknown],
  "refused, repeated": [[refusal(422, "invalid_amount")], refused],
};
/** Responses about the transaction that the name ends with, how many seconds `wait` has, and what it returns or throws. */
const waits = {
  "ended after another server's JSON": [[{ ...ended, body: { transactionId: "txn_2", status: "SUCCESSFUL" } }, { status: 200, body: { transactionId: "txn_1" } }, ended], 60, ended.body],
  "ended after faults": [[pending, refusal(401, "invalid_credentials"), refusal(503, "service_unavailable"), page, ended], 60, ended.body],
  "a fault to the end after PENDING": [[pending, refusal(401, "invalid_credentials")], 6, pending.body],
  "nothing seen": [[refusal(401, "invalid_credentials")], 1, unknown],
  "a body that comes byte by byte": [[drip], 1, unknown],
  "headers that come byte by byte": [[dripHeaders], 1, unknown],
};
const scripts = { ...creations, ...repetitions, ...waits };

/** The n-th request with an idempotency key, or below a path with a name, gets the n-th response of the case, and every later one the last. */
async function startScriptedServer() {
  const requests = new Map(Object.keys(scripts).map((name) => [name, []]));
  const server = createServer(async (request, response) => {
    const name = request.headers["idempotency-key"] ?? decodeURIComponent(request.url.split("/")[1]);
    const recorded = requests.get(fromKey(name)) ?? [];
    requests.set(fromKey(name), recorded);
    const { record } = await readRequest(request, request.url);
    recorded.push(record);
    const [steps] = scripts[fromKey(name)] ?? [[page]];
    const { fault, status, headers = {}, body } = steps[Math.min(recorded.length, steps.length) - 1];
    const text = typeof body === "string" ? body : JSON.stringify(body);
    await send({ fault }, { status, headers, type: "application/json", text }, request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, requests, stop };
}

/** A key has no spaces. */
const toKey = (name) => name.replaceAll(" ", "_");
const fromKey = (key) => key.replaceAll("_", " ");

for (const [language, program] of Object.entries(languages)) {
  test(`${language}: what a response means`, async () => {
    const { url, requests, stop } = await startScriptedServer();
    const env = { TUA_API_URL: `${url}/v1` };
    const find = async (name) => {
      if (creations[name]) return runCalls(program, [["create", ["/charge", {}, toKey(name)]]], env);
      if (repetitions[name]) return runCalls(program, [["create", ["/charge", {}, toKey(name), true]]], env);
      return runCalls(program, [["wait", ["txn_1", waits[name][1]]]], { TUA_API_URL: `${url}/${encodeURIComponent(toKey(name))}/v1` });
    };
    try {
      const results = {};
      const names = Object.keys(scripts);
      const work = async () => {
        for (let name = names.shift(); name; name = names.shift()) results[name] = await find(name).then(([result]) => result, String);
      };
      await Promise.all(Array.from({ length: 8 }, work));
      for (const [name, script] of Object.entries(scripts)) assert.deepEqual(results[name], script.at(-1), name);
      for (const [name, [steps]] of Object.entries({ ...creations, ...repetitions })) assert.equal(requests.get(name).length, steps.length, name);
      for (const [name, [first, second]] of [...requests].filter(([name]) => name.startsWith("three seconds"))) {
        assert.ok(second.at - first.at >= 3_000, `${name}: ${second.at - first.at} ms`);
      }
    } finally {
      stop();
    }
  });

  test(`${language}: an amount that a response had is sent with the same value`, async () => {
    const { url, requests, stop } = await startScriptedServer();
    try {
      const calls = '[["create", ["/charge", {"amount": 10.50, "large": 1000000000.00, "small": 0.29}, "refused_by_the_API"]]]';
      assert.deepEqual(await runCalls(program, calls, { TUA_API_URL: `${url}/v1` }), [refused]);
      assert.match(requests.get("refused by the API")[0].body.replaceAll(" ", ""), /^{"amount":10\.50?,"large":1000000000(\.00?)?,"small":0\.29}$/);
    } finally {
      stop();
    }
  });

  test(`${language}: a key or an address that cannot be right is refused, and not shown`, async () => {
    const wrong = {
      TUA_SECRET_KEY: ["", " ", "tua_test_v2_8f3c\n9d1e", "tua_test_v2_8f3c\u200b9d1e", "tua_test_v2_8f3c\r\nx-other: 9d1e"],
      TUA_API_URL: ["", "8f3c/v1", "http://8f3c/v1\n9d1e", "http://8f3c.example/9d1e"],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        await assert.rejects(runCalls(program, [], { [name]: value }), ({ message }) => {
          assert.ok(message.includes(name), `${name} in ${message}`);
          assert.doesNotMatch(message, /8f3c|9d1e/);
          return true;
        });
      }
    }
  });

  test(`${language}: spaces around a key are left out, and an argument with a line break sends nothing`, async () => {
    const { url, requests, stop } = await startScriptedServer();
    try {
      const env = { TUA_API_URL: ` ${url}/v1\n`, TUA_SECRET_KEY: ` ${OTHER_KEY}\n` };
      const keys = ["", "refused_by_the_API\r\nx-other: 1", "refused\u200b", "x".repeat(256)];
      const calls = [...keys.map((key) => ["create", ["/charge", {}, key]]), ["wait", ["txn_1\r\nx-other: 1", 1]]];
      const results = await runCalls(program, [...calls, ["create", ["/charge", {}, "refused_by_the_API"]]], env);
      assert.deepEqual(results.pop(), refused);
      for (const { error } of results) assert.ok(["TypeError", "ValueError", "InvalidArgumentException"].includes(error), error);
      const sent = [...requests.values()].flat();
      assert.deepEqual(sent.map(({ headers }) => headers["x-api-key"]), [OTHER_KEY]);
    } finally {
      stop();
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
    const mixedSecrets = ["verify", [body, headers, [...secrets, ""], now]];
    for (const { error } of await runCalls(program, [...signed, mixedSecrets])) assert.ok(error);
  });

  describe(`${language} without an SDK`, { skip: process.env.TUA_BIN ? false : "TUA_BIN is not set" }, () => {
    let child;
    let service;

    before(async () => {
      child = spawn(process.execPath, [path("service.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
      service = JSON.parse((await once(createInterface(child.stdout), "line"))[0]);
    });
    after(async () => {
      const exit = once(child, "exit");
      child.stdin.end();
      await exit;
    });

    test("a charge is begun once through broken connections, and its outcome is waited for", async () => {
      const env = { TUA_API_URL: service.faultyBaseUrl, TUA_SECRET_KEY: service.secretKey };
      const body = { amount: 10.5, phoneNumber: "0241234567", network: "MTN", reference: "order-17" };
      const [charge, again] = await runCalls(program, [["create", ["/charge", body, "order-17-1"]], ["create", ["/charge", body, "order-17-1"]]], env);
      assert.equal(charge.transactionId, again.transactionId, JSON.stringify([charge, again]));
      const list = await fetch(`${service.baseUrl}/transactions?reference=order-17`, { headers: { "x-api-key": service.secretKey } });
      assert.equal((await list.json()).data.length, 1);
      const [final] = await runCalls(program, [["wait", [charge.transactionId]]], env);
      assert.equal(final.status, "SUCCESSFUL", JSON.stringify(final));
    });

    test("a refusal, a payment that stays pending, and no service", async () => {
      const env = { TUA_API_URL: service.baseUrl, TUA_SECRET_KEY: service.secretKey };
      const body = { amount: 10.5, phoneNumber: "0241230007", network: "MTN" };
      const [refusedCharge, charge] = await runCalls(program, [["create", ["/charge", { ...body, amount: 0 }, "refused"]], ["create", ["/charge", body, "pending"]]], env);
      assert.deepEqual(refusedCharge, refused);
      const [pending] = await runCalls(program, [["wait", [charge.transactionId, 1]]], env);
      assert.equal(pending.status, "PENDING");
      const [nowhere] = await runCalls(program, [["create", ["/charge", body, "nowhere"]]], { ...env, TUA_API_URL: "http://127.0.0.1:1/v1" });
      assert.deepEqual(nowhere, unknown);
    });

    test("deliveries are verified as the SDKs verify them", async () => {
      // What the body of a right delivery says is read by the SDKs alone.
      const read = vectors.filter(({ expect }) => expect.error !== "invalid_body");
      const results = await runCalls(program, read.map(({ body, headers, secrets, now }) => ["verify", [body, headers, secrets, now]]));
      for (const [index, { name, expect, body }] of read.entries()) {
        const { error, id, type } = results[index];
        if (expect.event) assert.deepEqual({ id, type }, { id: expect.event.id, type: JSON.parse(body).type }, `${name}: ${error}`);
        else assert.ok(error, name);
      }
    });
  });
}
