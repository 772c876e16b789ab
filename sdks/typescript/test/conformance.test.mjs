// The cases of sdks/conformance with this package.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import * as tua from "@tua-pay/node";

const { Pages } = await import(new URL("pages.js", import.meta.resolve("@tua-pay/node")));

const folder = new URL("../../conformance/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const KINDS = {
  api: tua.TuaApiError,
  connection: tua.TuaConnectionError,
  unexpected: tua.TuaUnexpectedResponseError,
  usage: tua.TuaUsageError,
};
const KEY = "tua_test_v2_conformance";

/** A program of the folder while the tests of a suite run: `line` is what it prints first. */
function runProgram(name) {
  const program = { line: "" };
  let child;
  before(async () => {
    child = spawn(process.execPath, [fileURLToPath(new URL(name, folder))], { stdio: ["pipe", "pipe", "inherit"] });
    [program.line] = await once(createInterface(child.stdout), "line");
  });
  after(async () => {
    const ended = once(child, "exit");
    child.stdin.end();
    await ended;
  });
  return program;
}

async function getJson(url) {
  return (await fetch(url)).json();
}

async function play(item, base) {
  const begun = performance.now();
  const outcome = await call(item, `${base}/v1`);
  const elapsed = performance.now() - begun;
  check(item, outcome);
  const [least, most] = item.expect.elapsedMs ?? [0, 20_000];
  assert.ok(elapsed >= least && elapsed <= most, `it took ${Math.round(elapsed)} ms`);
  assert.deepEqual(await getJson(`${base}/verify`), { problems: [] });
}

describe("cases", { concurrency: 8 }, () => {
  const server = runProgram("server.mjs");
  for (const item of read("cases.json")) {
    test(item.name, () => play(item, `${server.line}/typescript/${encodeURIComponent(item.name)}`));
  }
});

describe("cases with the real service", { concurrency: 8, skip: process.env.TUA_BIN ? false : "TUA_BIN is not set" }, () => {
  const service = runProgram("service.mjs");
  for (const { name } of read("service-cases.json")) {
    test(name, async () => {
      const base = `${JSON.parse(service.line).casesUrl}/typescript/${encodeURIComponent(name)}`;
      await play(await getJson(`${base}/begin`), base);
    });
  }
});

describe("webhooks", () => {
  for (const { name, secrets, now, headers, body, expect } of read("webhooks.json")) {
    test(name, () => {
      const verify = () => new tua.Webhook({ secrets }).verify(Buffer.from(body), headers, now * 1_000);
      if (!expect.error) return void assertMembers(verify(), expect.event);
      assert.throws(verify, (error) => error instanceof tua.TuaWebhookError && error.code === expect.error);
    });
  }
});

async function call({ call: name, args, client = {}, options = {}, secretKey = KEY }, baseUrl) {
  const [resource, method] = name.split(".");
  const { timeoutMs, totalTimeoutMs, ...others } = client;
  const given = { secretKey, baseUrl, timeout: timeoutMs, totalTimeout: totalTimeoutMs, ...others };
  const { timeoutMs: timeout, ...request } = options;
  const all = timeout === undefined ? request : { ...request, timeout };
  try {
    const target = new tua.Tua(given)[resource];
    const result = target[method](...argumentsOf(resource, method, args), all);
    if (method === "follow") return { value: { ids: await take(result, args.take) } };
    return { value: result instanceof Pages ? { ids: (await result.toArray()).map(idOf) } : await result };
  } catch (error) {
    return { error };
  }
}

/** The arguments before the options. */
function argumentsOf(resource, method, args) {
  const [first, ...others] = Object.keys(args);
  if (resource === "networks") return [];
  if (["get", "getBatch", "cancel", "close", "wait", "disable", "remove", "advanceClock"].includes(method)) return [args[first]];
  if (["rotate", "enable"].includes(method)) return [args[first], Object.fromEntries(others.map((name) => [name, args[name]]))];
  return [args];
}

/** The ids of the first events. */
async function take(events, count) {
  const ids = [];
  for await (const { id } of events) if (ids.push(id) === count) break;
  return ids;
}

function idOf(item) {
  return item.id ?? item.endpointId ?? item.refundId ?? ("attemptsLeft" in item ? item.checkoutId : item.transactionId);
}

function check({ expect, args, secretKey = KEY }, { value, error }) {
  if (!expect.error) {
    if (error) throw error;
    return assertMembers(value, expect.value);
  }
  assert.ok(error, `there is no error, but ${JSON.stringify(value)}`);
  const { kind, pointers, keyed, ...members } = expect.error;
  assert.ok(error instanceof KINDS[kind], `${error.stack} is not of the kind ${kind}`);
  assert.ok(!String(error.stack).includes(secretKey), "the error has the key");
  assert.ok(!(args.phoneNumber && inspect(error).includes(args.phoneNumber)), "the error has the phone number");
  if (pointers) assert.deepEqual(error.errors.map((fault) => fault.pointer), pointers);
  if (keyed) assert.match(error.idempotencyKey, /^.{16,}$/);
  assertMembers(error, members);
}

/** Whether the value has these members; it may have more. */
function assertMembers(value, members) {
  for (const [name, member] of Object.entries(members)) {
    const isObject = typeof member === "object" && member !== null && !Array.isArray(member);
    if (isObject) assertMembers(value[name], member);
    else assert.deepEqual(value[name], member, name);
  }
}
