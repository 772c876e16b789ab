// Following events, requests that are not repeated blindly, and secrets of webhook endpoints.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { Tua, TuaConnectionError, TuaUsageError } from "@tua-pay/node";
import { exampleEvent } from "@tua-pay/node/testing";

const secretKey = "tua_test_v2_events";
const baseUrl = "https://pay.example/v1";

/** A client whose requests get these bodies, and the addresses of the requests so far. */
function clientOf(respond, options = {}) {
  const urls = [];
  const fetch = async (url, init) => (urls.push(url), Response.json(await respond(url, init)));
  return { tua: new Tua({ secretKey, baseUrl, fetch, ...options }), urls };
}

const page = (...ids) => ({ data: ids.map((eventId) => ({ eventId, ...exampleEvent("charge.successful") })), nextCursor: null });

/** Rejects when the signal of a request is aborted, as `fetch` does. */
const untilAborted = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

async function closedPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

describe("following events", () => {
  test("a signal ends it while it waits", async () => {
    const stop = new AbortController();
    const seen = [];
    const { tua, urls } = clientOf((url, init) => (url.includes("after=msg_1") ? untilAborted(init) : page("msg_1")));
    for await (const { id } of tua.events.follow({ signal: stop.signal })) {
      seen.push(id);
      setTimeout(() => stop.abort(), 20);
    }
    assert.deepEqual([seen, urls.length], [["msg_1"], 2]);
  });

  test("a signal ends it between two events of a response", async () => {
    const stop = new AbortController();
    const seen = [];
    const { tua, urls } = clientOf(() => page("msg_1", "msg_2"));
    for await (const { id } of tua.events.follow({ signal: stop.signal })) {
      seen.push(id);
      stop.abort();
    }
    assert.deepEqual([seen, urls.length], [["msg_1"], 1]);
  });

  test("a signal that is aborted before sends nothing", async () => {
    const { tua, urls } = clientOf(() => page("msg_1"));
    for await (const event of tua.events.follow({ signal: AbortSignal.abort() })) assert.fail(event.id);
    assert.equal(urls.length, 0);
  });

  test("events have the types and amounts of webhooks", async () => {
    const { tua } = clientOf(() => page("msg_1"));
    for await (const event of tua.events.follow()) {
      assert.deepEqual(Object.keys(event), ["id", "type", "timestamp", "data"]);
      assert.deepEqual([event.type, event.data.amount], ["charge.successful", exampleEvent("charge.successful").data.amount.toFixed(2)]);
      break;
    }
  });

  test("an event without data is an unknown one", async () => {
    const { tua } = clientOf(() => ({ data: [{ ...page("msg_1").data[0], data: null }], nextCursor: null }));
    const [event] = await tua.events.list().toArray();
    assert.deepEqual([event.id, event.type, event.originalType, event.data], ["msg_1", "unknown", "charge.successful", null]);
  });

  test("types are sent as one parameter", async () => {
    const { tua, urls } = clientOf(() => page());
    await tua.events.list({ type: ["charge.failed", "refund.failed"], from: "2026-11-01T00:00:00Z" }).toArray();
    assert.equal(new URL(urls[0]).search, "?from=2026-11-01T00%3A00%3A00Z&type=charge.failed%2Crefund.failed");
  });
});

describe("requests that are sent once", () => {
  const calls = {
    "a rotation": (tua) => tua.webhookEndpoints.rotate("whe_1"),
    "an advance of the clock": (tua) => tua.sandbox.advanceClock(60),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`${name} is repeated where no connection is made`, async () => {
      let count = 0;
      const counted = (url, init) => ((count += 1), fetch(url, init));
      const tua = new Tua({ secretKey, baseUrl: `http://127.0.0.1:${await closedPort()}/v1`, maxRetries: 2, fetch: counted });
      await assert.rejects(call(tua), (error) => {
        const words = `no connection to ${tua.baseUrl} (connect ECONNREFUSED 127.0.0.1:`;
        assert.ok(error.message.includes(words) && error.message.endsWith("). Does the service run there?"), error.message);
        return error instanceof TuaConnectionError && error.outcomeUnknown === false;
      });
      assert.equal(count, 3);
    });
  }

  test("the cause decides whether a request was sent", async () => {
    const cases = [
      [{ syscall: "getaddrinfo", code: "ENOTFOUND" }, false],
      [{ code: "UND_ERR_CONNECT_TIMEOUT" }, false],
      [{ syscall: "read", code: "ECONNRESET" }, true],
      [{ code: "UND_ERR_SOCKET" }, true],
    ];
    for (const [members, outcomeUnknown] of cases) {
      const fetch = () => Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("failed"), members) }));
      const tua = new Tua({ secretKey, baseUrl, fetch, maxRetries: 0 });
      await assert.rejects(tua.sandbox.advanceClock(60), (error) => error.outcomeUnknown === outcomeUnknown);
    }
  });

  test("seconds are a whole number", async () => {
    const { tua, urls } = clientOf(() => ({}));
    for (const seconds of ["31m", 1.5, undefined]) await assert.rejects(tua.sandbox.advanceClock(seconds), TuaUsageError);
    assert.equal(urls.length, 0);
  });
});

test("a secret of a webhook endpoint is hidden from logs", async () => {
  const secret = `whsec_${Buffer.alloc(32, "s").toString("base64")}`;
  const { tua } = clientOf(() => ({ endpointId: "whe_1", secret }));
  for (const endpoint of [await tua.webhookEndpoints.create({ url: "https://shop.example/" }), await tua.webhookEndpoints.rotate("whe_1")]) {
    assert.equal(endpoint.secret, secret);
    assert.ok(!inspect(endpoint).includes(secret));
    assert.ok(JSON.stringify(endpoint).includes(secret));
  }
});
