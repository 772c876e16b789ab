import { createHmac, timingSafeEqual } from "node:crypto";
import { decodeMoney } from "./amount.js";
import { isUnset, refuseUnset } from "./config.js";
import { TuaUsageError, TuaWebhookError } from "./errors.js";
import { makeEvent, type Event } from "./events.js";

const SECRET = /^whsec_([A-Za-z0-9+/]{22,}={0,2})$/;
const DEFAULT_TOLERANCE_SECONDS = 300;

export interface WebhookOptions {
  /**
   * The secret of the endpoint, `whsec_…`. While it is being rotated: the new one and the old one. Those that are undefined
   * are left out; where none is left, it throws.
   */
  secrets: string | readonly (string | undefined)[] | undefined;
  /** How far the time of a delivery may be from this machine's clock, in seconds. Default: 300. */
  tolerance?: number | undefined;
}

/** The headers of a request: those of `fetch`, or the object of `node:http`, in lower case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Verifies the webhooks of one endpoint, as Standard Webhooks 1.0 specifies. */
export class Webhook {
  readonly #secrets: readonly Buffer[];
  readonly #tolerance: number;

  constructor({ secrets, tolerance = DEFAULT_TOLERANCE_SECONDS }: WebhookOptions) {
    this.#secrets = findSecrets(secrets).map(readSecret);
    if (!(tolerance > 0)) throw new TuaUsageError("tolerance is a number of seconds above 0.");
    this.#tolerance = tolerance;
  }

  /**
   * The event of a delivery, if its signature is right. `body` is the bytes as they arrived, before anything parsed them.
   * Throws a TuaWebhookError otherwise. `now` is milliseconds since 1970, for tests.
   */
  verify(body: Uint8Array | string, headers: WebhookHeaders, now: number = Date.now()): Event {
    if (typeof body !== "string" && !(body instanceof Uint8Array)) throw bodyParsed("Pass the bytes of the body.");
    const id = header(headers, "webhook-id");
    const timestamp = header(headers, "webhook-timestamp");
    const signatures = header(headers, "webhook-signature");
    this.#checkTime(timestamp, now / 1_000);
    const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
    const found = readSignatures(signatures);
    const isRight = this.#secrets
      .map((secret) => createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(bytes).digest())
      .flatMap((expected) => found.map((signature) => signature.length === expected.length && timingSafeEqual(signature, expected)))
      .includes(true);
    if (!isRight) {
      throw new TuaWebhookError(
        "signature_mismatch",
        "The signature does not match. Either the secret of Webhook (TUA_WEBHOOK_SECRET in the examples) is not the one " +
          "that tua webhook add, tua webhook rotate or tua listen printed, or the body was changed before it was verified: " +
          "verify the bytes as they arrived, before a framework parses them.",
      );
    }
    return readEvent(id, bytes);
  }

  #checkTime(timestamp: string, now: number): void {
    if (!/^[0-9]{1,12}$/.test(timestamp)) {
      throw new TuaWebhookError("invalid_timestamp", "webhook-timestamp is not a number of seconds since 1970.");
    }
    const age = now - Number(timestamp);
    const hint = "Compare this machine's clock (NTP). An old delivery may also be one that somebody recorded.";
    if (age > this.#tolerance) {
      throw new TuaWebhookError("timestamp_too_old", `The delivery is ${Math.round(age)} s older than this clock. ${hint}`);
    }
    if (age < -this.#tolerance) {
      throw new TuaWebhookError("timestamp_too_new", `The delivery is ${Math.round(-age)} s ahead of this clock. ${hint}`);
    }
  }
}

/** The refusal of a body that something has parsed. `advice` names the setting to change. */
export function bodyParsed(advice: string): TuaWebhookError {
  return new TuaWebhookError(
    "body_parsed",
    `The body was parsed before it was verified, so its bytes are lost. ${advice} The signature covers the exact bytes.`,
  );
}

/** The longest body of a webhook, in bytes. The service sends far less. */
export const MAX_BODY_BYTES = 1_048_576;

/** The refusal of a body that is longer than any of the service. */
export function bodyTooLarge(): TuaWebhookError {
  return new TuaWebhookError("body_too_large", "The body has more than 1 MiB. This is no webhook of Tua.");
}

/** The secrets that have a value: one at least. */
function findSecrets(secrets: WebhookOptions["secrets"]): string[] {
  if (!Array.isArray(secrets)) return [refuseUnset("secrets", secrets as string | undefined, "TUA_WEBHOOK_SECRET")];
  if (secrets.length === 0) throw new TuaUsageError("A webhook needs a secret: the whsec_… that `tua webhook add` printed.");
  const given = secrets.filter((secret) => !isUnset(secret));
  if (given.length === 0) throw new TuaUsageError("secrets has no secret: is TUA_WEBHOOK_SECRET set for this process?");
  return given;
}

function readSecret(secret: string): Buffer {
  const base64 = typeof secret === "string" ? SECRET.exec(secret)?.[1] : undefined;
  if (!base64) throw new TuaUsageError("A webhook secret is whsec_ and base64, as `tua webhook add` printed it, without spaces.");
  return Buffer.from(base64, "base64");
}

function header(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string" || value === "") {
    throw new TuaWebhookError("header_missing", `The header ${name} is absent, or there are several. This is no webhook of Tua.`);
  }
  return value;
}

function readSignatures(text: string): Buffer[] {
  return text
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice(3), "base64"));
}

function readEvent(id: string, bytes: Uint8Array): Event {
  let body: unknown;
  try {
    body = decodeMoney(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    body = undefined;
  }
  const members = (body ?? {}) as Record<string, unknown>;
  const event = members["data"] === null ? undefined : makeEvent(id, members);
  if (!event) throw new TuaWebhookError("invalid_body", "The signature is right, but the body is not an event of Tua.");
  return event;
}
