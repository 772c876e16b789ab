// The middleware in the real frameworks.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { connect } from "node:net";
import { describe, test } from "node:test";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { Webhook } from "@tua-pay/node";
import * as onExpress from "@tua-pay/node/express";
import * as onFastify from "@tua-pay/node/fastify";
import * as onHono from "@tua-pay/node/hono";

const secret = `whsec_${Buffer.alloc(32, "m").toString("base64")}`;
const webhook = new Webhook({ secrets: secret });
const logged = [];
// White space that a framework loses when it parses the body and writes it again.
const ping = '{"type": "ping",  "timestamp": "2026-11-21T10:00:00.000Z", "data": {"endpointId": "whe_1"}}';

function signed(body = ping) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hmac = createHmac("sha256", Buffer.from(secret.slice(6), "base64")).update(`msg_1.${timestamp}.${body}`);
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${hmac.digest("base64")}` };
  return { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
}

async function onServer(listener, use) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  try {
    await use(`http://127.0.0.1:${server.address().port}/webhooks`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** What every framework must do. `send` sends a request to a shop with this handler. */
async function checkFramework(send) {
  const events = [];
  assert.equal((await send((event) => void events.push(event), signed())).status, 204);
  assert.deepEqual(events, [{ id: "msg_1", type: "ping", timestamp: "2026-11-21T10:00:00.000Z", data: { endpointId: "whe_1" } }]);
  const forged = { ...signed(), body: ping.replace("whe_1", "whe_2") };
  logged.length = 0;
  const refused = await send((event) => void events.push(event), forged);
  assert.match(logged.join("|"), /^webhook: refused: The signature does not match[^|\n]*TUA_WEBHOOK_SECRET[^|\n]*$/);
  assert.ok(!logged[0].includes(secret.slice(6)), "the log has the secret");
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /signature does not match/);
  assert.equal((await send((event) => void events.push(event), { method: "POST", body: "" })).status, 400);
  assert.equal(events.length, 1);
  const failed = await send(() => Promise.reject(new Error("the database is down: password hunter2")), signed());
  assert.equal(failed.status, 500);
  assert.doesNotMatch(await failed.text(), /hunter2/);
  const large = await send((event) => void events.push(event), signed(" ".repeat(1_048_577)));
  assert.equal(large.status, 413);
  assert.equal(events.length, 1);
}

/** Sends three of 100 bytes to the server of an address, and disconnects. */
async function disconnectEarly(url) {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  const head = ["POST /webhooks HTTP/1.1", "host: shop", "content-type: application/json", "content-length: 100"];
  socket.write(`${head.join("\r\n")}\r\n\r\nabc`);
  await new Promise((later) => setTimeout(later, 100));
  socket.destroy();
}

describe("middleware", () => {
  console.error = (...words) => void logged.push(words.join(" "));

  test("Express", () =>
    checkFramework(async (handler, request) => {
      let response;
      const app = express().post("/webhooks", onExpress.tuaWebhook(webhook, handler));
      await onServer(app, async (url) => (response = await buffered(await fetch(url, request))));
      return response;
    }));

  test("node:http goes on after a client that disconnects", async () => {
    const handle = onExpress.tuaWebhook(webhook, () => {});
    let handled;
    await onServer((request, response) => (handled = handle(request, response)), async (url) => {
      await disconnectEarly(url);
      await new Promise((later) => setTimeout(later, 200));
      await handled;
      assert.equal((await fetch(url, signed())).status, 204);
    });
  });

  test("Express passes on that a client has disconnected", async () => {
    const handle = onExpress.tuaWebhook(webhook, () => {});
    let passed;
    const next = new Promise((resolve) => (passed = resolve));
    await onServer((request, response) => void handle(request, response, passed), async (url) => {
      await disconnectEarly(url);
      assert.equal((await next).code, "ECONNRESET");
    });
  });

  test("Express does not go on after a handler that responded itself", async () => {
    const calls = [];
    const app = express();
    app.post("/webhooks", (request, response) =>
      onExpress.tuaWebhook(webhook, () => void response.status(202).end())(request, response, (error) => calls.push(error)),
    );
    await onServer(app, async (url) => assert.equal((await fetch(url, signed())).status, 202));
    assert.deepEqual(calls, []);
  });

  test("Express after express.raw", async () => {
    const app = express().use(express.raw({ type: "*/*" })).post("/webhooks", onExpress.tuaWebhook(webhook, () => {}));
    await onServer(app, async (url) => assert.equal((await fetch(url, signed())).status, 204));
  });

  test("Express after express.json is refused, with the setting to change", async () => {
    const app = express().use(express.json()).post("/webhooks", onExpress.tuaWebhook(webhook, () => {}));
    await onServer(app, async (url) => {
      const response = await fetch(url, signed());
      assert.equal(response.status, 400);
      assert.match(await response.text(), /before app\.use\(express\.json\(\)\)/);
    });
  });

  test("Fastify, whose other routes go on parsing", async () => {
    await checkFramework(async (handler, { method, headers, body }) => {
      const app = fastify();
      app.register(onFastify.tuaWebhook, { path: "/webhooks", webhook, handler });
      app.post("/other", async (incoming) => incoming.body.value);
      const other = await app.inject({ method: "POST", url: "/other", payload: { value: "parsed" } });
      assert.equal(other.body, "parsed");
      const { statusCode, body: text } = await app.inject({ method, url: "/webhooks", headers, payload: body });
      return { status: statusCode, text: async () => text };
    });
  });

  test("Hono", () =>
    checkFramework(async (handler, request) => {
      const app = new Hono().post("/webhooks", onHono.tuaWebhook(webhook, handler));
      return app.request("/webhooks", request);
    }));

  test("Hono after c.req.raw was read is refused, with what to change", async () => {
    const app = new Hono()
      .use(async (context, next) => {
        await context.req.raw.text();
        await next();
      })
      .post("/webhooks", onHono.tuaWebhook(webhook, () => {}));
    assert.match(await (await app.request("/webhooks", signed())).text(), /c\.req\.json/);
  });
});

async function buffered(response) {
  const text = await response.text();
  return { status: response.status, text: async () => text };
}
