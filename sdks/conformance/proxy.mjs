// A proxy that misbehaves in front of the real service, for the cases of service-cases.json. Each case of each run has an
// account of its own.
//
// GET  /<run>/<case>/begin    makes what the case needs at the service, and returns the case as one of cases.json, with the
//                             secret key: {"secretKey": …, "call": …, "args": …, "expect": …}
//      /<run>/<case>/v1/…     is the API: the n-th request gets the n-th fault of the case, and every later one the last
// GET  /<run>/<case>/verify   returns {"problems": […]}: where the requests, or what they did at the service, are not as expected
//
// A fault with `"before": true` does not reach the service. Others are responses that are lost or spoiled, after the service
// has executed the request. `$name.member` in a case is a member of what it made before.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { findMissing, findProblems, readRequest, send } from "./faults.mjs";

const CASES = new Map(
  JSON.parse(readFileSync(new URL("service-cases.json", import.meta.url), "utf8")).map((item) => [item.name, item]),
);
const PATHS = { txn: "/status/", chk: "/checkout/" };

/** Starts the proxy of a service, and returns its address. */
export async function startProxy(service) {
  const runs = new Map();
  const proxy = createServer(async (request, response) => {
    const [, run, name, root, ...path] = request.url.split("/");
    const item = CASES.get(decodeURIComponent(name));
    if (!item) return response.writeHead(404).end("no such case");
    const id = `${run}/${name}`;
    try {
      if (root === "begin") runs.set(id, await begin(service, item));
      const played = runs.get(id);
      if (root === "begin") return response.end(JSON.stringify(played.resolved));
      if (root === "verify") return response.end(JSON.stringify({ problems: await verify(service, played) }));
      await forward(service, played, request, response, `/${path.join("/")}`);
    } catch (error) {
      response.destroy();
      console.error(`${item.name}:`, error);
    }
  });
  await new Promise((listening) => proxy.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${proxy.address().port}`;
}

async function begin(service, item) {
  const { keys } = service.run("account", "create", "--name", "Adom Stores");
  const made = { reference: `order-${randomUUID()}` };
  for (const step of item.setup ?? []) {
    const body = await call(service, keys.testV2, resolve(step, made));
    made[step.as ?? "_"] = body;
    if (step.until) made[step.as ?? "_"] = await waitFor(service, keys.testV2, body, step.until);
  }
  const { setup, ...others } = item;
  return { key: keys.testV2, made, record: [], resolved: { secretKey: keys.testV2, ...resolve(others, made) } };
}

async function verify(service, { key, made, record, resolved }) {
  const problems = findProblems(resolved, record);
  for (const { request, count, expect = {} } of resolved.after ?? []) {
    const body = await call(service, key, { request });
    if (count !== undefined && body.data.length !== count) problems.push(`${request} has ${body.data.length} instead of ${count}`);
    problems.push(...findMissing(body, resolve(expect, made), "").map((where) => `${request}: ${where}`));
  }
  return problems;
}

async function forward(service, { record, resolved }, request, response, path) {
  const { record: recorded, bytes } = await readRequest(request, path);
  record.push(recorded);
  const { faults = [] } = resolved;
  const fault = faults[Math.min(record.length, faults.length) - 1] ?? {};
  let answer = { status: 200, headers: {}, text: "" };
  if (!fault.before) {
    const { host, connection, "content-length": length, ...headers } = request.headers;
    const body = bytes.length > 0 ? bytes : undefined;
    // What is lost is lost after the service has executed it.
    const real = await fetch(`http://127.0.0.1:${service.port}/v1${path}`, { method: request.method, headers, body });
    const kept = ["etag", "retry-after"].filter((name) => real.headers.has(name)).map((name) => [name, real.headers.get(name)]);
    answer = { status: real.status, headers: Object.fromEntries(kept), type: real.headers.get("content-type") ?? "", text: await real.text() };
  }
  await send(fault, spoil(answer, fault), request, response);
}

/** The response with the status, the headers and the text of a fault. */
function spoil(answer, { status, headers, text, body, problem, with: members }) {
  const changed = { ...answer, status: status ?? answer.status, headers: { ...answer.headers, ...headers } };
  if (text !== undefined) return { ...changed, type: "text/html", text };
  if (problem) {
    const document = { type: "about:blank", title: "Error", detail: "A sentence.", requestId: "req_proxy", status: changed.status };
    return { ...changed, type: "application/problem+json", text: JSON.stringify({ ...document, ...problem }) };
  }
  if (body) return { ...changed, type: "application/json", text: JSON.stringify(body) };
  return members ? { ...changed, text: JSON.stringify({ ...JSON.parse(answer.text), ...members }) } : changed;
}

async function call(service, key, { request, body, token, idempotencyKey, status }) {
  const [method, path] = request.split(" ");
  const credential = token ? { authorization: `Bearer ${token}` } : { "x-api-key": key };
  const headers = { "content-type": "application/json", ...credential, ...(idempotencyKey ? { "idempotency-key": idempotencyKey } : {}) };
  const options = { method, headers, body: method === "GET" ? undefined : JSON.stringify(body ?? {}) };
  const response = await fetch(`http://127.0.0.1:${service.port}/v1${path}`, options);
  const found = await response.json();
  if (status ? response.status !== status : !response.ok) throw new Error(`${request}: ${JSON.stringify(found)}`);
  return found;
}

async function waitFor(service, key, { refundId, transactionId, checkoutId }, status) {
  const id = refundId ?? transactionId ?? checkoutId;
  const path = refundId ? "/refunds/" : PATHS[id.split("_")[0]];
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const found = await call(service, key, { request: `GET ${path}${id}` });
    if (found.status === status) return found;
    await new Promise((later) => setTimeout(later, 25));
  }
  throw new Error(`${id} does not become ${status}`);
}

/** A value of a case with `$name.member` replaced. */
function resolve(value, made) {
  if (Array.isArray(value)) return value.map((item) => resolve(item, made));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, made)]));
  }
  if (typeof value !== "string") return value;
  const find = (path) => path.split(".").reduce((found, name) => found?.[name], made);
  if (/^\$[a-zA-Z0-9_.]+$/.test(value)) return find(value.slice(1)) ?? value;
  return value.replace(/\$\{([a-zA-Z0-9_.]+)\}/g, (_, path) => find(path));
}
