// Tua's API without an SDK, in Node.js 20 or later with its standard library alone.
import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

const API = process.env.TUA_API_URL; // https://pay.example/v1
const KEY = process.env.TUA_SECRET_KEY;

/** The service refused: the message has the code and the request id. Nothing was begun by this call. */
export class Refused extends Error {}

/** No usable response: the request may have been executed. Call again with the same idempotency key, and never say "failed". */
export class Unknown extends Error {}

/** Begins something once: `create("/charge", {…}, "order-17-1")`. Store the key with the order before the first call. */
export const create = (path, body, idempotencyKey) =>
  send("POST", path, { "content-type": "application/json", "idempotency-key": idempotencyKey }, JSON.stringify(body));

/** Waits until a transaction has ended. After so many seconds it returns what it saw last, which may be PENDING. */
export async function wait(transactionId, seconds = 120) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const left = Math.min(30, Math.ceil((end - Date.now()) / 1000));
    const isAnswer = ({ transactionId: id, status }) => id === transactionId && typeof status === "string";
    const transaction = await send("GET", `/status/${transactionId}`, left > 0 ? { prefer: `wait=${left}` } : {}, undefined, isAnswer);
    if (transaction.status !== "PENDING" || left <= 0) return transaction;
    await pause(200); // also where a proxy or a busy service does not let it wait
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

/** The member that a response has which begins something: a page or another server's JSON has none of them. */
const IDENTIFIERS = ["transactionId", "refundId", "checkoutId", "linkId", "batchId", "endpointId"];
const hasIdentifier = (answer) => IDENTIFIERS.some((name) => typeof answer[name] === "string");

async function send(method, path, headers, body, isAnswer = hasIdentifier) {
  let fault;
  let mayHaveBegun = false; // by an attempt without a usable response
  for (let attempt = 0, after = 0; attempt < 4; attempt += 1) {
    if (attempt > 0) await pause(Math.max(after, Math.random() * 500 * 2 ** attempt));
    try {
      const signal = AbortSignal.timeout(40_000);
      const response = await fetch(API + path, { method, headers: { "x-api-key": KEY, ...headers }, body, signal, redirect: "error" });
      const { status } = response;
      const seconds = response.headers.get("retry-after") ?? "";
      after = /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds), 60) * 1000 : 0; // a date is not waited for
      const answer = await response.json(); // a page of a proxy is no answer
      if (response.ok && isAnswer(answer)) return answer;
      const isOurs = status >= 400 && typeof answer.code === "string";
      if (!isOurs) throw new Error(`status ${status} without the JSON of the API`);
      const message = `${answer.code}: ${answer.detail} (${answer.requestId})`;
      const isBusy = [408, 429].includes(status);
      fault = new Unknown(message);
      if (status < 500 && !isBusy && answer.code !== "idempotency_in_progress") {
        // These are decided before the key is read, so they say nothing about an earlier attempt.
        if (!mayHaveBegun || ![401, 403, 413].includes(status)) fault = new Refused(message);
        break;
      }
      mayHaveBegun ||= !isBusy;
    } catch (error) {
      fault = new Unknown(String(error));
      mayHaveBegun = true;
    }
  }
  throw fault;
}
