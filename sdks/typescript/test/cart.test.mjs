// The carts of sdks/conformance, in the real frameworks.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { CartCheckout, Tua, TuaUsageError } from "@tua-pay/node";
import * as onExpress from "@tua-pay/node/express";
import * as onFastify from "@tua-pay/node/fastify";
import * as onHono from "@tua-pay/node/hono";
import * as onNext from "@tua-pay/node/next";

const folder = new URL("../../conformance/", import.meta.url);
const { shop, cases } = JSON.parse(readFileSync(new URL("carts.json", folder), "utf8"));
const right = cases[0];
const logged = [];

let address;
let child;
before(async () => {
  console.error = (...words) => logged.push(words.join(" "));
  child = spawn(process.execPath, [fileURLToPath(new URL("server.mjs", folder))], { stdio: ["pipe", "pipe", "inherit"] });
  [address] = await once(createInterface(child.stdout), "line");
});
after(() => child.stdin.end());

/** The shop of the cases. */
function open(baseUrl, options = {}, client = {}) {
  const tua = new Tua({ secretKey: "tua_test_v2_conformance", baseUrl, ...client });
  const findItems = async (skus) => {
    if (skus.includes(shop.broken)) throw new Error("the database is down: password hunter2");
    return shop.items.filter(({ sku }) => skus.includes(sku));
  };
  return new CartCheckout(tua, { findItems, donation: shop.donation, returnUrl: shop.returnUrl, ...options });
}

function requestOf({ body, padTo = 0, contentType = "application/json", contentEncoding }) {
  const headers = { "content-type": contentType, ...(contentEncoding ? { "content-encoding": contentEncoding } : {}) };
  return { method: "POST", headers, body: Buffer.from(body.padEnd(padTo)) };
}

async function onServer(listener, request) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const response = await fetch(`http://127.0.0.1:${server.address().port}/checkout`, request);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const ofResponse = async (response) => ({ status: response.status, headers: response.headers, text: await response.text() });
const FRAMEWORKS = {
  express: (cart, request) => onServer(express().post("/checkout", onExpress.tuaCheckout(cart)), request),
  http: (cart, request) => onServer(onExpress.tuaCheckout(cart), request),
  fastify: async (cart, { headers, body }) => {
    const app = fastify();
    app.register(onFastify.tuaCheckout, { path: "/checkout", cart });
    const response = await app.inject({ method: "POST", url: "/checkout", headers, payload: body });
    return { status: response.statusCode, headers: new Headers(response.headers), text: response.body };
  },
  hono: async (cart, request) => ofResponse(await new Hono().post("/checkout", onHono.tuaCheckout(cart)).request("/checkout", request)),
  next: async (cart, request) => ofResponse(await onNext.tuaCheckout(cart)(new Request("http://shop/checkout", request))),
};

for (const [name, send] of Object.entries(FRAMEWORKS)) {
  describe(`carts in ${name}`, { concurrency: 8 }, () => {
    for (const item of cases) {
      test(item.name, async () => {
        const base = `${address}/typescript-${name}/${encodeURIComponent(item.name)}`;
        const { status, headers, text } = await send(open(`${base}/v1`, {}, item.client), requestOf(item));
        check(item.expect, status, headers, text, `${base}/docs/errors/`);
        assert.deepEqual(await (await fetch(`${base}/verify`)).json(), { problems: [] });
      });
    }
  });
}

function check(expect, status, headers, text, errorPages) {
  assert.equal(status, expect.status, text);
  assert.ok(!text.includes("tua_test_v2_") && !text.includes("hunter2"), text);
  for (const [name, value] of Object.entries(expect.headers ?? {})) assert.equal(headers.get(name), value);
  const body = JSON.parse(text);
  if (expect.status === 201) return assert.deepEqual(Object.keys(body), ["checkoutToken", "url", "expiresAt"]);
  assert.match(headers.get("content-type"), /^application\/problem\+json/);
  assert.deepEqual([body.code, body.type, body.status], [expect.code, errorPages + expect.code, expect.status]);
  if (expect.title) assert.equal(body.title, expect.title);
  assert.notEqual(body.title, "Error");
  assert.deepEqual(body.errors?.map(({ pointer, code }) => [pointer, code]), expect.faults);
}

describe("a cart", () => {
  const url = () => `${address}/typescript-more/${encodeURIComponent(right.name)}/v1`;

  test("that a framework has parsed is read all the same", async () => {
    const app = express().use(express.json()).post("/checkout", onExpress.tuaCheckout(open(url())));
    assert.equal((await onServer(app, requestOf(right))).status, 201);
  });

  test("is read where a parser has set an empty body without reading, as that of Express 4 does", async () => {
    const app = express()
      .use((request, _response, next) => {
        request.body = {};
        next();
      })
      .post("/checkout", onExpress.tuaCheckout(open(url())));
    assert.equal((await onServer(app, requestOf(right))).status, 201);
  });

  test("whose body something has consumed, or whose client disconnects, is no JSON", async () => {
    const consumed = express()
      .use((request, _response, next) => void request.resume().on("end", next))
      .post("/checkout", onExpress.tuaCheckout(open(url())));
    assert.equal((await onServer(consumed, requestOf(right))).status, 400);
    const body = () => Promise.reject(new Error("aborted"));
    const { status, error } = await open(url()).respond({ contentType: "application/json", body });
    assert.deepEqual([status, error], [400, undefined]);
  });

  test("is limited by the address of its client", async () => {
    const cart = open(url());
    const send = (address) => cart.respond({ contentType: "application/json", body: async () => Buffer.from("{"), address });
    for (let count = 0; count < 60; count += 1) assert.equal((await send("2001:db8::1")).status, 400);
    const { status, headers, body } = await send("2001:db8:0:0:ffff::2");
    assert.deepEqual([status, JSON.parse(body).code, headers["retry-after"]], [429, "rate_limited", "1"]);
    for (const other of ["2001:db8:0:1::1", "192.0.2.1", undefined]) assert.equal((await send(other)).status, 400);
  });

  test("opens no more checkouts than one address may have", async () => {
    const cart = open(url(), { maxOpenSessions: 4 });
    const send = async (address) => {
      const { contentType, body } = { contentType: "application/json", ...right };
      return (await cart.respond({ contentType, body: async () => Buffer.from(body), address })).status;
    };
    assert.deepEqual([await send("192.0.2.1"), await send("::ffff:192.0.2.1"), await send("192.0.2.1")], [201, 201, 429]);
    assert.equal(await send("192.0.2.2"), 201);
  });

  test("leaves one line in the log where the shop or its settings are at fault", async () => {
    for (const [name, text] of [["the key is wrong", /^checkout: shop-\w{16}: invalid_credentials/], ["shows no secret", /^checkout: shop-\w{16}: validation_failed \(status 422\)$/], ["the shop's own fault", /hunter2/]]) {
      const item = cases.find((one) => one.name.endsWith(name));
      logged.length = 0;
      await FRAMEWORKS.next(open(`${address}/typescript-log/${encodeURIComponent(item.name)}/v1`), requestOf(item));
      assert.equal(logged.length, 1);
      assert.match(logged[0], text);
      assert.ok(!logged[0].includes("tua_test_v2_"));
    }
  });

  test("needs settings that are right", () => {
    for (const options of [
      { returnUrl: "https://{reference}.shop.example/" },
      { returnUrl: "orders/{reference}" },
      { returnUrl: "https://user@shop.example/" },
      { donation: { name: "Library", min: "2", max: "1" } },
      { donation: { name: "", min: "1", max: "2" } },
      { maxOpenSessions: 0 },
    ]) {
      assert.throws(() => open("https://pay.example/v1", options), TuaUsageError, JSON.stringify(options));
    }
  });
});
