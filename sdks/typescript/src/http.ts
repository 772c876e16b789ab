import { randomUUID } from "node:crypto";
import { decodeMoney, encodeBody } from "./amount.js";
import type { Config } from "./config.js";
import {
  TuaApiError,
  TuaConnectionError,
  TuaRequestError,
  TuaUnexpectedResponseError,
  TuaUsageError,
  type Fault,
  type Problem,
  type RequestFacts,
} from "./errors.js";
import { describeFailure, isNeverSent, parseRetryAfter, retryDelay, sleep } from "./retry.js";
import { findUnknownStatus } from "./statuses.js";
import type { RequestOptions } from "./types.js";
import { VERSION } from "./version.js";

/**
 * What the repetition of a request does: nothing, the same again, the same thanks to its `Idempotency-Key`, or more than
 * the first one did. A request of the last kind is repeated only where it was certainly not executed.
 */
export type Repetition = "reads" | "repeatable" | "keyed" | "once";

export interface Operation {
  method: "GET" | "POST";
  path: string;
  repetition: Repetition;
  body?: object;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** Milliseconds for one attempt, where it is not that of the client. */
  timeout?: number;
  /** Members that the response must have with these values: else it is the answer to another request. */
  expected?: Record<string, string | number | undefined>;
  /** A member that the response must have. */
  identifier: string;
  /** A sentence about a value of the response that this version cannot use. Default: a status that it does not have. */
  findUnknown?: (body: Record<string, unknown>) => string | undefined;
}

export interface Result {
  /** Null for 304: nothing has changed. */
  body: Record<string, unknown> | null;
  etag: string | undefined;
}

const PRINTABLE = /^[!-~]([ -~]{0,253}[!-~])?$/;
const RETRIED = [408, 429, 500, 502, 503, 504];
/**
 * Refusals that come before the service reads the `Idempotency-Key`. They are no answer about an earlier attempt, nor about
 * an earlier call with the same key, which the caller may have made.
 */
const BEFORE_THE_KEY = [401, 403, 408, 413, 429, 503];

interface Failed {
  error: (facts: RequestFacts) => TuaRequestError;
  status: number;
  isRetried: boolean;
  /** Whether this attempt may have been executed. */
  isAmbiguous: boolean;
  retryAfter?: number | undefined;
}

/** A request that reads one resource; `name` is the member of the response that is its identifier. */
export function readOperation(path: string, name: string, id: string): Operation {
  return { method: "GET", path, repetition: "reads", identifier: name, expected: { [name]: id } };
}

/** Sends a request until it has a result, its attempts are used up, or its time is over. */
export async function send(config: Config, operation: Operation, options: RequestOptions = {}): Promise<Result> {
  const deadline = performance.now() + (options.totalTimeout ?? config.totalTimeout);
  const isKeyed = operation.repetition === "keyed";
  const idempotencyKey = isKeyed ? readKey(options.idempotencyKey) : undefined;
  let mayHaveBegun = isKeyed && idempotencyKey === options.idempotencyKey;
  const request = prepare(config, operation, idempotencyKey);
  for (let attempt = 0; ; attempt += 1) {
    const left = deadline - performance.now();
    const result = await attemptOnce(config, operation, request, Math.min(operation.timeout ?? config.timeout, left), options.signal);
    if (!("error" in result)) return result;
    const isRefusedBeforeKey = BEFORE_THE_KEY.includes(result.status);
    // A thing that is removed is not found by the request that removes it again.
    const isAfterRemoval = operation.repetition === "repeatable" && result.status === 404;
    const outcomeUnknown = result.isAmbiguous || (mayHaveBegun && (isRefusedBeforeKey || isAfterRemoval));
    mayHaveBegun ||= result.isAmbiguous;
    const delay = retryDelay(attempt, result.retryAfter);
    const isOver = attempt >= config.maxRetries || performance.now() + delay >= deadline;
    const isRetried = result.isRetried && !(operation.repetition === "once" && result.isAmbiguous);
    if (!isRetried || isOver || options.signal?.aborted) throw result.error({ outcomeUnknown, idempotencyKey });
    await sleep(delay, options.signal).catch(() => {
      throw result.error({ outcomeUnknown, idempotencyKey });
    });
  }
}

function readKey(key: unknown): string {
  if (key === undefined || key === null) return randomUUID();
  if (typeof key !== "string" || !PRINTABLE.test(key)) throw new TuaUsageError("An idempotencyKey has 1 to 255 printable ASCII characters.");
  return key;
}

function prepare(config: Config, operation: Operation, idempotencyKey: string | undefined) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(operation.query ?? {})) if (value !== undefined) query.set(name, String(value));
  const headers: Record<string, string> = {
    accept: "application/json",
    "user-agent": `tua-node/${VERSION}`,
    "x-api-key": config.secretKey,
    ...operation.headers,
  };
  if (operation.body) headers["content-type"] = "application/json";
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  const search = query.size > 0 ? `?${query}` : "";
  return {
    url: `${config.baseUrl}${operation.path}${search}`,
    init: { method: operation.method, headers, body: operation.body ? encodeBody(operation.body) : null, redirect: "manual", cache: "no-store" },
  } as const;
}

async function attemptOnce(
  config: Config,
  operation: Operation,
  request: ReturnType<typeof prepare>,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Result | Failed> {
  const name = `${operation.method} ${operation.path}`;
  const isAmbiguous = operation.repetition !== "reads";
  const timer = AbortSignal.timeout(Math.max(1, Math.ceil(timeout)));
  let response: Response;
  let text: string;
  try {
    response = await config.fetch(request.url, { ...request.init, signal: signal ? AbortSignal.any([timer, signal]) : timer });
    text = await response.text();
  } catch (cause) {
    const late = `no response from ${config.baseUrl} within ${Math.round(timeout)} ms.`;
    const why = timer.aborted ? late : describeFailure(cause, config.baseUrl);
    const error = (facts: RequestFacts) => new TuaConnectionError(`${name}: ${why}`, facts, cause);
    const isOnceNeverSent = operation.repetition === "once" && isNeverSent(cause);
    return { error, status: 0, isRetried: true, isAmbiguous: isAmbiguous && !isOnceNeverSent };
  }
  const { status, headers } = response;
  if (status === 304 && operation.headers?.["if-none-match"]) return { body: null, etag: headers.get("etag") ?? undefined };
  const body = parseObject(text);
  const unexpected = (why: string, isRetried: boolean): Failed => ({
    error: (facts) => new TuaUnexpectedResponseError(`${name}: ${why}. It was not used.`, status, facts),
    status,
    isRetried,
    isAmbiguous,
    retryAfter: parseRetryAfter(headers),
  });
  if (response.ok) {
    if (!body) return unexpected("the response is not the service's JSON", true);
    try {
      const decoded = decodeMoney(body) as Record<string, unknown>;
      const fault = findFault(operation, decoded);
      return fault ? unexpected(fault, true) : { body: decoded, etag: headers.get("etag") ?? undefined };
    } catch (error) {
      return unexpected((error as Error).message, true);
    }
  }
  const problem = body ? readProblem(body, status) : undefined;
  if (!problem) {
    const what = status < 400 ? "is a redirect; set baseUrl to the address of the service itself" : "is not the service's JSON";
    return unexpected(`the response with status ${status} ${what}`, RETRIED.includes(status));
  }
  const isInProgress = problem.code === "idempotency_in_progress";
  // The key is of another request, which was accepted.
  const isOfAnother = problem.code === "idempotency_key_reused";
  const mayHaveRun = (status >= 500 && problem.code !== "network_unavailable") || isInProgress || isOfAnother;
  const retryAfter = parseRetryAfter(headers);
  return {
    error: (facts) => new TuaApiError(problem, retryAfter, facts),
    status,
    // Without Retry-After, no operator is set up for the network, and a repetition gets the same response.
    isRetried: isInProgress || (RETRIED.includes(status) && (problem.code !== "network_unavailable" || retryAfter !== undefined)),
    isAmbiguous: isAmbiguous && mayHaveRun,
    retryAfter,
  };
}

/** Why a response of 2xx is not the one to this request; undefined if it is. */
function findFault(operation: Operation, body: Record<string, unknown>): string | undefined {
  if (!(operation.identifier in body)) return `the response has no ${operation.identifier}`;
  for (const [name, value] of Object.entries(operation.expected ?? {})) {
    if (value !== undefined && name in body && body[name] !== value) {
      return `the response is that of another request: its ${name} differs`;
    }
  }
  return (operation.findUnknown ?? findUnknownStatus)(body);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function readProblem(body: Record<string, unknown>, status: number): Problem | undefined {
  if (typeof body["code"] !== "string") return undefined;
  const text = (name: string) => (typeof body[name] === "string" ? (body[name] as string) : "");
  return {
    status,
    code: body["code"],
    title: text("title"),
    detail: text("detail"),
    requestId: text("requestId") || undefined,
    errors: Array.isArray(body["errors"]) ? (body["errors"] as Fault[]) : [],
  };
}
