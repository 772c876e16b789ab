// No secret is shown, no client begins in a browser, and what a request is made of.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { fromPesewas, toPesewas, Tua, TuaError, TuaUsageError, Webhook } from "@tua-pay/node";
import { signDelivery } from "@tua-pay/node/testing";

const { sleep } = await import(new URL("retry.js", import.meta.resolve("@tua-pay/node")));

const options = { secretKey: "tua_live_v2_topsecret", baseUrl: "https://pay.example/v1" };

describe("secrets", () => {
  test("a client shows no key", () => {
    const tua = new Tua(options);
    const shown = inspect(tua, { depth: null, showHidden: true }) + JSON.stringify(tua) + String(tua);
    assert.doesNotMatch(shown, /topsecret/);
  });

  test("a webhook shows no secret", () => {
    const secret = Buffer.alloc(32, "s").toString("base64");
    const webhook = new Webhook({ secrets: `whsec_${secret}` });
    assert.ok(!(inspect(webhook, { depth: null, showHidden: true }) + JSON.stringify(webhook)).includes(secret));
    assert.throws(() => new Webhook({ secrets: "whsec_ topsecret" }), (error) => !error.message.includes("topsecret"));
  });

  test("a refused option shows no key", () => {
    assert.throws(() => new Tua({ ...options, baseUrl: "http://pay.example/v1" }), (error) => !inspect(error).includes("topsecret"));
  });

  test("a live key goes over http to this machine", () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) new Tua({ ...options, baseUrl: `http://${host}:8080/v1` });
  });

  test("an option without a value names its variable", () => {
    for (const [value, found] of [[undefined, "undefined"], [null, "null"], ["", "empty"]]) {
      const refusal = (option, variable) => ({ name: "TuaUsageError", message: `${option} is ${found}: is ${variable} set for this process?` });
      assert.throws(() => new Tua({ ...options, secretKey: value }), refusal("secretKey", "TUA_SECRET_KEY"));
      assert.throws(() => new Tua({ ...options, baseUrl: value }), refusal("baseUrl", "TUA_API_URL"));
      assert.throws(() => new Webhook({ secrets: value }), refusal("secrets", "TUA_WEBHOOK_SECRET"));
      const message = "secrets has no secret: is TUA_WEBHOOK_SECRET set for this process?";
      for (const secrets of [[value], [value, value]]) assert.throws(() => new Webhook({ secrets }), { name: "TuaUsageError", message });
    }
  });

  test("a list without a secret is refused", () => {
    assert.throws(() => new Webhook({ secrets: [] }), { name: "TuaUsageError", message: /^A webhook needs a secret: / });
  });

  test("of two secrets, one may have no value", () => {
    const secret = `whsec_${Buffer.alloc(32, "s").toString("base64")}`;
    const { body, headers } = signDelivery(secret, "ping");
    for (const secrets of [[secret, undefined], [undefined, secret], [secret, ""]]) {
      assert.equal(new Webhook({ secrets }).verify(body, headers).type, "ping");
    }
    assert.throws(() => new Webhook({ secrets: [secret, "whsec_x"] }), TuaUsageError);
  });

  test("a worker of Cloudflare is no browser", () => {
    const navigator = Object.getOwnPropertyDescriptor(globalThis, "navigator");
    globalThis.WorkerGlobalScope = class {};
    Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Cloudflare-Workers" }, configurable: true });
    new Tua(options);
    delete globalThis.navigator;
    delete globalThis.WorkerGlobalScope;
    if (navigator) Object.defineProperty(globalThis, "navigator", navigator);
  });

  test("a browser is refused", () => {
    for (const globals of [{ window: { document: {} } }, { WorkerGlobalScope: class {} }]) {
      Object.assign(globalThis, globals);
      assert.throws(() => new Tua(options), (error) => error instanceof TuaUsageError && /browser/.test(error.message));
      for (const name of Object.keys(globals)) delete globalThis[name];
    }
  });
});

test("pesewas and amounts are exact", () => {
  for (let pesewas = 0; pesewas <= 10_000; pesewas += 1) assert.equal(toPesewas(fromPesewas(pesewas)), BigInt(pesewas));
  assert.equal(fromPesewas(100_000_000_000n), "1000000000.00");
  assert.equal(toPesewas("10.5"), 1050n);
  for (const wrong of [0.5, -1, Number.NaN, 2 ** 53]) assert.throws(() => fromPesewas(wrong), TuaUsageError);
});

describe("what every error tells", () => {
  const charge = { amount: "1.00", phoneNumber: "0241234567", network: "MTN" };
  const broken = { fetch: () => Promise.reject(new TypeError("fetch failed")), maxRetries: 0 };
  const facts = ({ outcomeUnknown, idempotencyKey }) => ({ outcomeUnknown, idempotencyKey });
  const caught = async (call) => {
    try {
      await call();
    } catch (error) {
      return error;
    }
    return assert.fail("nothing was thrown");
  };

  test("where nothing was sent, the outcome is known", async () => {
    const webhook = new Webhook({ secrets: `whsec_${Buffer.alloc(32, "s").toString("base64")}` });
    const tua = new Tua({ ...options, fetch: () => assert.fail("nothing is sent") });
    const errors = [await caught(() => tua.charges.create({ ...charge, amount: 1 })), await caught(() => webhook.verify("", {}))];
    assert.deepEqual(errors.map(({ name }) => name), ["TuaUsageError", "TuaWebhookError"]);
    for (const error of errors) {
      assert.ok(error instanceof TuaError);
      assert.deepEqual(facts(error), { outcomeUnknown: false, idempotencyKey: undefined });
    }
  });

  test("where a payment was sent, it is not known", async () => {
    const error = await caught(() => new Tua({ ...options, ...broken }).charges.create(charge, { idempotencyKey: "order-17-1" }));
    assert.ok(error instanceof TuaError);
    assert.deepEqual(facts(error), { outcomeUnknown: true, idempotencyKey: "order-17-1" });
  });

  test("a request that reads changes nothing", async () => {
    const error = await caught(() => new Tua({ ...options, ...broken }).transactions.get("txn_1"));
    assert.deepEqual(facts(error), { outcomeUnknown: false, idempotencyKey: undefined });
  });
});

describe("requests", () => {
  const charge = { amount: "1.00", phoneNumber: "0241234567", network: "MTN" };

  test("an idempotency key that is no text is refused", async () => {
    const tua = new Tua({ ...options, fetch: () => assert.fail("nothing is sent") });
    for (const idempotencyKey of [17, {}, true]) await assert.rejects(tua.charges.create(charge, { idempotencyKey }), TuaUsageError);
  });

  test("a refusal names its fields, and is short", async () => {
    const refusal = async (detail, ...errors) => {
      const fetch = async () => Response.json({ code: "validation_failed", detail, errors, requestId: "req_1" }, { status: 422 });
      return new Tua({ ...options, fetch }).charges.create(charge).catch((error) => error.message);
    };
    const fault = (pointer, detail) => ({ pointer, code: "invalid", detail });
    assert.equal(await refusal("No."), "validation_failed: No. (request req_1)");
    const one = await refusal("This must be a string.", fault("/reference", "This must be a string."));
    assert.equal(one, "validation_failed: /reference: This must be a string. (request req_1)");
    const two = await refusal("2 fields.", fault("/email", "It is no address."), fault("/reference", "This must be a string."));
    assert.equal(two, "validation_failed: 2 fields. /email: It is no address. /reference: This must be a string. (request req_1)");
    const many = await refusal("Many.", ...Array.from({ length: 100 }, (_, place) => fault(`/payouts/${place}`, "x".repeat(5_000))));
    assert.match(many, /\/payouts\/4: x+ And 95 more\. \(request req_1\)$/);
    assert.ok(many.length < 1_300);
  });

  test("a broken connection says why without the key", async () => {
    const message = async (cause) => {
      const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
      return new Tua({ ...options, fetch, maxRetries: 0 }).charges.create(charge).catch((error) => error.message);
    };
    const broken = "POST /charge: the connection to https://pay.example/v1 failed or broke";
    assert.equal(await message(undefined), `${broken}.`);
    assert.equal(await message(new Error("other side closed.")), `${broken} (other side closed).`);
    assert.equal(await message(new Error(`bad line ${options.secretKey}`)), `${broken} (bad line tua_live_…).`);
    assert.ok((await message(new Error("x ".repeat(1_000)))).length < 350);
    const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
    const words = "POST /charge: no connection to https://pay.example/v1 (ECONNREFUSED). Does the service run there?";
    assert.equal(await message(refused), words);
  });

  test("no cache holds a response", async () => {
    const inits = [];
    const fetch = async (_url, init) => (inits.push(init), new Response('{"data": [], "nextCursor": null}'));
    await new Tua({ ...options, fetch }).transactions.list().toArray();
    assert.deepEqual(inits.map(({ cache }) => cache), ["no-store"]);
  });

  test("a pause leaves no listener at the signal", async () => {
    const { signal } = new AbortController();
    await sleep(1, signal);
    assert.equal(getEventListeners(signal, "abort").length, 0);
    await assert.rejects(sleep(10_000, AbortSignal.timeout(5)), { name: "TimeoutError" });
  });
});
