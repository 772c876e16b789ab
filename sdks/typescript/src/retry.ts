const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;

/** Milliseconds before the next attempt: exponential, with jitter, and never before `Retry-After`. */
export function retryDelay(attempt: number, retryAfter: number | undefined): number {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  return Math.max((retryAfter ?? 0) * 1_000, 0) + delay * (0.5 + Math.random() / 2);
}

/**
 * Seconds of `Retry-After`: a number, or a date that is compared with the response's own `Date`, so that a wrong clock of
 * this machine does not matter. Undefined where it is absent or neither.
 */
export function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^[0-9]{1,9}$/.test(value)) return Number(value);
  const until = Date.parse(value);
  const from = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, (until - (Number.isNaN(from) ? Date.now() : from)) / 1_000);
}

/**
 * Whether a request that `fetch` rejected was certainly not sent: the name of the host has no address, or no connection was
 * made. False where that is not certain.
 */
export function isNeverSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return false;
  const { code, syscall } = cause as NodeJS.ErrnoException;
  return syscall === "connect" || syscall === "getaddrinfo" || code === "ECONNREFUSED" || code === "UND_ERR_CONNECT_TIMEOUT";
}

// What a server sent can be in the reason of `fetch`, and it may have sent the key back.
const SECRET = /((?:tua|sk)_(?:test|live)_|tua_checkout_)[A-Za-z0-9_-]+/g;
const LONGEST_REASON = 200;

/** What happened to a connection, for people: the address, and the reason that `fetch` knows. */
export function describeFailure(error: unknown, baseUrl: string): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const { code, message } = (cause instanceof Error ? cause : {}) as NodeJS.ErrnoException;
  // Where a name has several addresses, the message is empty.
  const reason = (message || code || "").replace(/\s+/g, " ").replace(SECRET, "$1…").replace(/\.$/, "");
  const why = reason && ` (${reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason})`;
  return isNeverSent(error)
    ? `no connection to ${baseUrl}${why}. Does the service run there?`
    : `the connection to ${baseUrl} failed or broke${why}.`;
}

/** Waits. Rejects with the reason of the signal where it is aborted before. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
