# Generated from _async_events.py by scripts/generate_sync.py. Do not edit.
"""The record of events."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from ._exchange import Operation, segment
from ._page import Page
from ._record import EventPage, Follower, RecordedEvent, event_query
from ._sync_pages import Pages
from ._sync_transport import Transport
from .errors import TuaRequestError
from .events import Event

_LONGEST_POLL = 30
# A service that cannot hold a poll answers at once, so the next poll is sent after this interval.
_SHORTEST_INTERVAL = 1.0


class Events:
    """`/events`: the events of 30 days. The first list begins the record, with the newest events of those days."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, event_id: str) -> Event:
        """The event of an id, which is the `webhook-id` of its webhooks."""
        path = f"/events/{segment(event_id, 'event_id')}"
        operation = Operation("GET", path, "reads", RecordedEvent, expected={"eventId": event_id})
        return (self._transport.send(operation)).root

    def list(
        self,
        *,
        type: str | Sequence[str] | None = None,
        transaction_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        page_size: int | None = None,
    ) -> Pages[Event]:
        """All events with these values, newest first: at `from_` or later, and before `to` (ISO 8601)."""
        query = event_query(type, transaction_id=transaction_id, start=from_, end=to, page_size=page_size)
        operation: Operation[Page[Event]] = Operation("GET", "/events", "reads", EventPage, query=query)
        return Pages(self._transport, operation)

    def follow(
        self,
        *,
        after: str = "",
        type: str | Sequence[str] | None = None,
        transaction_id: str | None = None,
        wait_seconds: int = _LONGEST_POLL,
        page_size: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Generator[Event, None, None]:
        """Every event after the event `after`, oldest first, and then those that come. Each is yielded once.

        Store the `id` of an event once it was processed, and pass it as `after` when the program begins again: so no event
        of the last 30 days is missed. An empty `after` begins with the whole record; one that is older than the record is
        refused with 422 `invalid_parameter`.

        It ends when the generator is closed, or when `stop` returns True, which is called before each request and each
        event. A request waits for `wait_seconds`, 0 to 30. After the first response it continues through broken
        connections, 408, 429 and 5xx, with growing pauses; it raises for any other refusal.
        """
        is_stopped = stop or (lambda: False)
        config = replace(self._transport.config, max_retries=0)
        follower = Follower(after, self._transport.config.max_retries)
        query = event_query(type, transaction_id=transaction_id, page_size=page_size)
        timeout = wait_seconds + config.timeout
        while not is_stopped():
            asked = time.monotonic()
            events: Sequence[Event] = ()
            poll = {**query, "after": follower.after, "wait": wait_seconds}
            operation = Operation("GET", "/events", "reads", EventPage, query=poll, timeout=timeout)
            try:
                page = (self._transport.exchange(config, operation, None, timeout)).value
                events = page.data if page is not None else ()
                follower.receive(events)
                pause = 0.0 if events else _SHORTEST_INTERVAL - (time.monotonic() - asked)
            except TuaRequestError as error:
                events = ()
                pause = follower.pause(error)
            for event in events:
                if is_stopped():
                    return
                yield event
                follower.advance(event)
            if pause > 0:
                time.sleep(pause)
