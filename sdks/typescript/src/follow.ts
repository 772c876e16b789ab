import type { Config } from "./config.js";
import { TuaApiError, TuaConnectionError, TuaRequestError, TuaUnexpectedResponseError } from "./errors.js";
import { makeEvent, type Event, type EventFilter, type FollowOptions } from "./events.js";
import { send, type Operation } from "./http.js";
import type { Page } from "./pages.js";
import { retryDelay, sleep } from "./retry.js";

/** The longest wait for an event that the service takes, in seconds. */
const LONGEST_POLL_SECONDS = 30;
/** A service that cannot hold a poll answers at once, so the next poll is sent after this interval. */
const SHORTEST_INTERVAL_MS = 1_000;

/** An event that is older than this may have left the record, which has 30 days. Clocks may differ by the rest. */
const RECORD_AGE_MS = 29 * 86_400_000;

/**
 * Yields each event after `after` once, oldest first, and waits for the next one by long poll. After the first response,
 * it continues through broken connections, 408, 429 and 5xx without end. It throws for another refusal, and where the first
 * response does not come in `maxRetries` repetitions.
 */
export async function* followEvents(config: Config, options: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
  const { waitSeconds = LONGEST_POLL_SECONDS, signal } = options;
  let after = options.after ?? "";
  let last: Event | undefined;
  let isFirst = true;
  let failures = 0;
  while (!signal?.aborted) {
    const asked = performance.now();
    let events: Event[] = [];
    let pause = 0;
    try {
      events = await pollEvents(config, options, after, waitSeconds);
      isFirst = false;
      failures = 0;
      if (events.length === 0) pause = SHORTEST_INTERVAL_MS - (performance.now() - asked);
    } catch (error) {
      if (signal?.aborted) return;
      if (!isFirst && after !== "" && isRefusedPosition(error) && mayHaveLeft(last)) {
        // No event came for 30 days, so the record has no event that was not seen.
        after = "";
        continue;
      }
      if (!isRetried(error) || ((isFirst || !isOutage(error)) && failures >= config.maxRetries)) throw error;
      pause = retryDelay(failures, error instanceof TuaApiError ? error.retryAfter : undefined);
      failures += 1;
    }
    for (const event of events) {
      if (signal?.aborted) return;
      yield event;
      last = event;
      after = event.id;
    }
    if (pause > 0) await sleep(pause, signal).catch(() => undefined);
  }
}

async function pollEvents(config: Config, options: FollowOptions, after: string, waitSeconds: number): Promise<Event[]> {
  const { type, transactionId, pageSize, signal } = options;
  const timeout = waitSeconds * 1_000 + config.timeout;
  const query = { ...eventQuery({ type, transactionId }), limit: pageSize, after, wait: waitSeconds };
  const result = await send({ ...config, maxRetries: 0 }, listOperation({ query, timeout }), { signal, totalTimeout: timeout });
  const { data } = readEventPage(result.body);
  if (after !== "" && data.some((event) => event.id === after)) {
    const facts = { outcomeUnknown: false, idempotencyKey: undefined };
    throw new TuaUnexpectedResponseError("The events after an event have this event, so they never end.", 200, facts);
  }
  return data;
}

/** The query of a filter. */
export function eventQuery({ type, ...members }: EventFilter): Record<string, string | undefined> {
  return { ...members, type: typeof type === "object" ? type.join(",") : type };
}

export function listOperation(members: Pick<Operation, "query" | "timeout">): Operation {
  return { method: "GET", path: "/events", repetition: "reads", identifier: "data", findUnknown: findUnknownEvent, ...members };
}

/** The page of a response that has no fault. */
export function readEventPage(body: unknown): Page<Event> {
  const { data, nextCursor } = body as Page<Record<string, unknown>>;
  return { data: data.map(readEvent).filter((event) => event !== undefined), nextCursor };
}

/** An event as the list has it, with `eventId`; undefined where it is not as documented. */
export function readEvent(body: Record<string, unknown>): Event | undefined {
  return typeof body["eventId"] === "string" ? makeEvent(body["eventId"], body) : undefined;
}

function findUnknownEvent({ data }: Record<string, unknown>): string | undefined {
  if (!Array.isArray(data)) return "the response has no list of events";
  const isFaulty = (item: unknown) => typeof item !== "object" || item === null || !readEvent(item as Record<string, unknown>);
  return data.some(isFaulty) ? "an event is not as documented, or has a status that is not known" : undefined;
}

/** Whether the record does not have the event after which it asks. */
function isRefusedPosition(error: unknown): boolean {
  return error instanceof TuaApiError && error.status === 422 && error.code === "invalid_parameter";
}

/**
 * Whether the last event is so old that the record may not have it any more. True where none was yielded: then it was there
 * at the first response. A newer event that is absent was lost with a database, so the caller decides.
 */
function mayHaveLeft(last: Event | undefined): boolean {
  return last === undefined || Date.now() - Date.parse(last.timestamp) > RECORD_AGE_MS;
}

/** Whether the same request may have a result later: no response, 408, 429, 5xx, or a response that was not used. */
function isRetried(error: unknown): error is TuaRequestError {
  return isOutage(error) || (error instanceof TuaUnexpectedResponseError && error.status < 300);
}

/** Whether the service was not reached, or could not serve the request. */
function isOutage(error: unknown): boolean {
  if (error instanceof TuaConnectionError) return true;
  const status = error instanceof TuaApiError || error instanceof TuaUnexpectedResponseError ? error.status : 0;
  return status >= 500 || status === 429 || status === 408;
}
