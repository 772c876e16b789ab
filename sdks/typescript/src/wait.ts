import type { Config } from "./config.js";
import { TuaApiError, TuaRequestError } from "./errors.js";
import { send, type Operation } from "./http.js";
import { retryDelay, sleep } from "./retry.js";
import type { Status, WaitOptions } from "./types.js";

export const WAIT_TIMEOUT_MS = 120_000;
/** The longest wait of one long poll that the service takes, in seconds. */
const LONGEST_POLL_SECONDS = 30;
/** A service that cannot hold a poll answers at once, so the next poll is sent after this interval. */
const SHORTEST_INTERVAL_MS = 1_000;

/**
 * Asks by long poll until a transaction or refund is final, or the time is over: then it returns what was last seen, which
 * is PENDING. A poll without a response is repeated. It throws where nothing was seen at all.
 */
export async function waitForOutcome<T extends { status: Status }>(
  config: Config,
  operation: Operation,
  { timeout = WAIT_TIMEOUT_MS, signal }: WaitOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeout;
  let seen: T | undefined;
  let etag: string | undefined;
  for (let attempt = 0; ; attempt += 1) {
    const asked = performance.now();
    const left = Math.max(0, deadline - asked);
    const seconds = Math.min(LONGEST_POLL_SECONDS, Math.floor(left / 1_000));
    const headers: Record<string, string> = {};
    if (seconds > 0) headers["prefer"] = `wait=${seconds}`;
    if (etag !== undefined) headers["if-none-match"] = etag;
    let pause: number;
    try {
      const poll = { ...operation, headers, timeout: seconds * 1_000 + config.timeout };
      const result = await send({ ...config, maxRetries: 0 }, poll, { signal, totalTimeout: left + config.timeout });
      if (result.body) seen = result.body as T;
      if (result.body) etag = result.etag;
      attempt = 0;
      if (seen && seen.status !== "PENDING") return seen;
      pause = SHORTEST_INTERVAL_MS - (performance.now() - asked);
    } catch (error) {
      if (!isTransient(error) || signal?.aborted) throw error;
      pause = retryDelay(attempt, error instanceof TuaApiError ? error.retryAfter : undefined);
      if (performance.now() + pause >= deadline && !seen) throw error;
    }
    if (performance.now() + Math.max(0, pause) >= deadline) {
      if (seen) return seen;
    }
    await sleep(Math.max(0, pause), signal);
  }
}

/** Whether the same request may have a result later: a broken connection, 408, 429, 5xx. */
export function isTransient(error: unknown): error is TuaRequestError {
  if (error instanceof TuaApiError) return error.status >= 500 || error.status === 429 || error.status === 408;
  return error instanceof TuaRequestError;
}
