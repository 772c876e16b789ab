// The files of docs/by-hand, which docs/reference/by-hand.md shows: the API without an SDK. Each begins a charge through a proxy
// that breaks connections, waits for its outcome, and verifies the deliveries of webhooks.json.
//
//   TUA_BIN=target/debug/tua node --test by-hand.test.mjs
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
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

for (const [language, program] of Object.entries(languages)) {
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
