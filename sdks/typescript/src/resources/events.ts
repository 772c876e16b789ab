import type { Event, EventFilter, FollowOptions } from "../events.js";
import { eventQuery, followEvents, listOperation, readEvent, readEventPage } from "../follow.js";
import { readOperation } from "../http.js";
import { Pages } from "../pages.js";
import type { ListOptions, RequestOptions } from "../types.js";
import { Resource, segment } from "./base.js";

/** The record of events, which has those of 30 days. The first list begins it, with the newest events of those days. */
export class Events extends Resource {
  /** The event of an id, which is the `webhook-id` of its webhooks. */
  async get(eventId: string, options?: RequestOptions): Promise<Event> {
    const findUnknown = (body: Record<string, unknown>) =>
      readEvent(body) ? undefined : "the event is not as documented, or has a status that is not known";
    const operation = { ...readOperation(`/events/${segment(eventId, "eventId")}`, "eventId", eventId), findUnknown };
    return readEvent(await this.call(operation, options)) as Event;
  }

  /** All events that the filter leaves, newest first. */
  list(filter: EventFilter & ListOptions = {}): Pages<Event> {
    const { pageSize, ...members } = filter;
    return new Pages<Event>(async (cursor) => {
      const query = { ...eventQuery(members), limit: pageSize, cursor };
      return readEventPage(await this.call(listOperation({ query })));
    });
  }

  /**
   * Every event, oldest first, and then those that come: `for await (const event of tua.events.follow({ after }))`. Store
   * `event.id` once the event was processed, and pass it as `after` when the program begins again: so no event of the last
   * 30 days is missed. An `after` that is older is refused with 422 `invalid_parameter`.
   *
   * It ends with `break`, or when `signal` is aborted. After the first response it continues through broken connections,
   * 408, 429 and 5xx, with growing pauses; it throws for any other refusal.
   */
  follow(options: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    return followEvents(this.config(), options);
  }
}
