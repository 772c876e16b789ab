// Tua's API without an SDK, in Node.js 20 or later with its standard library alone.
import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

const API = check("TUA_API_URL", process.env.TUA_API_URL?.trim(), /^https?:\/\/[^\s@]+\/v1$/); // https://pay.example/v1
const KEY = check("TUA_SECRET_KEY", process.env.TUA_SECRET_KEY?.trim(), /^[A-Za-z0-9_-]+$/);

/** The service refused: the message has the code and the request id. Nothing was begun by this call. */
export class Refused extends Error {}

/**
 * No usable response. After `create` the request may have been executed: repeat it later, and never say "failed". After
 * `wait` the status is not known: ask again later.
 */
export class Unknown extends Error {}

/**
 * Begins something once: `create("/charge", {…}, "order-17-1")`. Store the key with the order before the first call. A later
 * call with this key has the same body, and `true` for `isRepeated`.
 */
export async function create(path, body, idempotencyKey, isRepeated = false) {
  const key = check("the idempotency key", idempotencyKey, /^[!-~]{1,255}$/);
  const text = JSON.stringify(body);
  let mayHaveBegun = isRepeated; // by a request whose outcome is not known
  let fault;
  for (let attempt = 0, after = 0; attempt < 4 && after <= 60; attempt += 1) {
    if (attempt > 0) await pause(1000 * Math.max(after, Math.random() * 0.5 * 2 ** attempt));
    const response = await request("POST", path, { "content-type": "application/json", "idempotency-key": key }, text, 40);
    const { status, code, answer } = response;
    if (status >= 200 && status < 300 && IDENTIFIERS.some((name) => typeof answer[name] === "string")) return answer;
    fault = response.fault;
    after = response.after ?? 0;
    const isNetworkDown = code === "network_unavailable"; // and nothing was begun
    const isUncertain = !code || code === "idempotency_in_progress" || (status >= 500 && !isNetworkDown);
    const isTemporary = isUncertain || [408, 429].includes(status) || (isNetworkDown && response.after !== undefined);
    mayHaveBegun ||= isUncertain;
    if (!isTemporary) {
      // These do not show whether an earlier attempt was executed.
      const isNoVerdict = [401, 403, 413].includes(status) || code === "idempotency_key_reused";
      throw mayHaveBegun && isNoVerdict ? new Unknown(fault) : new Refused(fault);
    }
  }
  throw mayHaveBegun ? new Unknown(fault) : new Refused(fault);
}

/** Waits until a transaction has ended. After so many seconds it returns what it saw last, which may be PENDING. */
export async function wait(transactionId, seconds = 120) {
  const id = check("the transaction id", transactionId, /^[A-Za-z0-9_-]+$/);
  const end = performance.now() + seconds * 1000;
  let seen;
  for (;;) {
    const poll = Math.max(0, Math.min(30, Math.ceil((end - performance.now()) / 1000)));
    const response = await request("GET", `/status/${id}`, poll > 0 ? { prefer: `wait=${poll}` } : {}, undefined, poll + 10);
    const { status, answer, after = 0, fault } = response;
    const isSeen = status === 200 && answer.transactionId === id && typeof answer.status === "string";
    if (isSeen) seen = answer;
    if (isSeen && ["SUCCESSFUL", "FAILED"].includes(answer.status)) return answer;
    const ms = isSeen ? 200 : 1000 * Math.max(after, 2); // a proxy or a busy service may not let it wait
    if (performance.now() + ms >= end) {
      if (seen) return seen;
      throw new Unknown(`the status of ${id} is not known: ${fault}`);
    }
    await pause(ms);
  }
}

/** The event of a delivery. `body` is a Buffer with the bytes as they arrived, `secrets` one secret or both of a rotation. */
export function verify(body, headers, secrets, now = Date.now() / 1000) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = (headers["webhook-signature"] ?? "").split(" ");
  if (!id || !/^\d{1,12}$/.test(timestamp ?? "")) throw new Error("not a webhook of Tua");
  if (Math.abs(now - Number(timestamp)) > 300) throw new Error("the delivery is too old, or a clock is wrong");
  const keys = secrets.map((secret) => Buffer.from(secret.replace("whsec_", ""), "base64"));
  if (keys.some((key) => key.length < 24)) throw new Error("a secret is empty or too short"); // anybody could sign with it
  const isRight = keys.some((key) => {
    const expected = `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
    return signatures.some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), Buffer.from(expected)));
  });
  if (!isRight) throw new Error("the signature is wrong");
  return { id, ...JSON.parse(body) };
}

/** The identifiers of created resources. A response to `create` has one of them. */
const IDENTIFIERS = ["transactionId", "refundId", "checkoutId", "linkId", "batchId", "endpointId"];

/** One attempt. A refusal by the API has a `code`: a redirect, the page of a proxy and a broken connection have none. */
async function request(method, path, headers, body, seconds) {
  let status = 0;
  let after; // seconds; a date is not waited for
  let answer = {};
  try {
    const options = { method, headers: { "x-api-key": KEY, ...headers }, body, redirect: "manual", signal: AbortSignal.timeout(seconds * 1000) };
    const response = await fetch(API + path, options);
    const retryAfter = response.headers.get("retry-after") ?? "";
    if (/^\d{1,9}$/.test(retryAfter)) after = Number(retryAfter);
    status = response.status;
    answer = Object(await response.json());
  } catch (error) {
    return { status, after, answer, fault: `status ${status}, ${error}` };
  }
  const code = status >= 400 && typeof answer.code === "string" ? answer.code : undefined;
  const fault = code ? `${code}: ${answer.detail} (${answer.requestId})` : `status ${status} without the JSON of the API`;
  return { status, after, answer, code, fault };
}

/** A value of the right form. The error does not show it, because it may be a secret. */
function check(name, value, form) {
  if (!form.test(value ?? "")) throw new TypeError(`${name} is empty, or has a character that does not belong there`);
  return value;
}
