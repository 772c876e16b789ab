import type { components } from "./generated/openapi.js";

/** One fault of a request: where it is (a JSON pointer), its code, and a sentence for people. */
export type Fault = components["schemas"]["Fault"];

/** The code of a refusal. New codes may be added, so a program needs a branch for those that it does not name. */
export type ErrorCode = components["schemas"]["ProblemCode"];

/** The class of every error that this package throws. */
export class TuaError extends Error {
  override name = "TuaError";
  /** Whether the request may have been executed. False where nothing was sent. See `RequestFacts`. */
  readonly outcomeUnknown: boolean = false;
  /** The `Idempotency-Key` of the request; undefined for a request that has none, or where nothing was sent. */
  readonly idempotencyKey: string | undefined = undefined;
}

/** The package was used wrongly: nothing was sent. The message names what to change. */
export class TuaUsageError extends TuaError {
  override name = "TuaUsageError";
}

/** What every error of a request tells about it. */
export interface RequestFacts {
  /**
   * Whether the request may have been executed. True after a broken connection, a timeout or a 5xx of a request that
   * begins or changes something. With a key of the caller it is also true where the service refused before it read the key
   * (401, 403, 408, 413, 429, 503): an earlier call with this key may have been executed. Repeat it later with the same
   * `idempotencyKey`, and tell nobody that no money moved. (A checkout that the payer has not seen moves no money.) False
   * for a request that reads, which changes nothing: it does not tell what became of the payment.
   */
  outcomeUnknown: boolean;
  /** The `Idempotency-Key` of the request; undefined for a request that has none. */
  idempotencyKey: string | undefined;
}

/** A request that was sent and has no usable result. */
export abstract class TuaRequestError extends TuaError {
  override readonly outcomeUnknown: boolean;
  override readonly idempotencyKey: string | undefined;

  constructor(message: string, facts: RequestFacts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.outcomeUnknown = facts.outcomeUnknown;
    this.idempotencyKey = facts.idempotencyKey;
  }
}

/** The service refused the request. `code` is the reason. */
export class TuaApiError extends TuaRequestError {
  override name = "TuaApiError";
  /** The HTTP status, 400 to 599. */
  readonly status: number;
  readonly code: ErrorCode;
  readonly title: string;
  readonly detail: string;
  /** Quote it when you ask for help: the service's log has it too. */
  readonly requestId: string | undefined;
  /** Every fault of the body or the query; empty where there is none. */
  readonly errors: readonly Fault[];
  /** Seconds until the service takes the request again, from `Retry-After`; undefined where it gave none. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, retryAfter: number | undefined, facts: RequestFacts) {
    super(`${problem.code}: ${describe(problem)}${problem.requestId ? ` (request ${problem.requestId})` : ""}`, facts);
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.requestId = problem.requestId;
    this.errors = problem.errors;
    this.retryAfter = retryAfter;
  }
}

export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  requestId: string | undefined;
  errors: Fault[];
}

const SHOWN_FAULTS = 5;
const LONGEST_TEXT = 200;

/** The detail of a refusal and its first faults, each with the member that it is about. */
function describe({ detail, errors }: Problem): string {
  const shown = errors.slice(0, SHOWN_FAULTS).map((fault) => `${cut(fault.pointer)}: ${cut(fault.detail)}`);
  if (errors.length > SHOWN_FAULTS) shown.push(`And ${errors.length - SHOWN_FAULTS} more.`);
  // The detail of a request with one fault is that of the fault.
  const isRepeated = errors.length === 1 && errors[0]?.detail === detail;
  return (isRepeated ? shown : [detail, ...shown]).join(" ");
}

function cut(text: unknown): string {
  return String(text).slice(0, LONGEST_TEXT);
}

/** No response arrived: the connection failed, broke, or the time was over. */
export class TuaConnectionError extends TuaRequestError {
  override name = "TuaConnectionError";
}

/**
 * A response arrived that is not the service's: a page in HTML, half a document, a redirect, or the answer to another
 * request. Nothing of it was used.
 */
export class TuaUnexpectedResponseError extends TuaRequestError {
  override name = "TuaUnexpectedResponseError";
  /** The HTTP status of this response. */
  readonly status: number;

  constructor(message: string, status: number, facts: RequestFacts) {
    super(message, facts);
    this.status = status;
  }
}

/** Why a webhook was refused. */
export type WebhookErrorCode =
  | "body_parsed"
  | "body_too_large"
  | "header_missing"
  | "invalid_timestamp"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "signature_mismatch"
  | "invalid_body";

/** A webhook that was not verified. Answer 400, and use nothing of it. */
export class TuaWebhookError extends TuaError {
  override name = "TuaWebhookError";
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
