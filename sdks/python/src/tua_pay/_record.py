"""The record of events: its responses, and where a follower is in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import PlainValidator, RootModel

from ._exchange import backoff
from ._page import Page
from .errors import TuaApiError, TuaConnectionError, TuaRequestError, TuaUnexpectedResponseError
from .events import Event, make_event


def _read_event(value: Any) -> Event:
    match value:
        case {"eventId": str(id), "type": str(type), "timestamp": str(timestamp), "data": dict() | None as data}:
            return make_event(id, type, timestamp, data)
    raise ValueError("the event is not as documented")


class RecordedEvent(RootModel[Annotated[Event, PlainValidator(_read_event)]]):
    """One event of the record: `root`."""


class EventPage(Page[Event]):
    """One page of the record."""

    data: list[Annotated[Event, PlainValidator(_read_event)]]


def event_query(
    type: str | Sequence[str] | None,
    *,
    transaction_id: str | None = None,
    start: str | None = None,
    end: str | None = None,
    page_size: int | None = None,
) -> dict[str, str | int]:
    """The query of a list of events, without what is None."""
    members: dict[str, str | int | None] = {
        "type": type if type is None or isinstance(type, str) else ",".join(type),
        "transactionId": transaction_id,
        "from": start,
        "to": end,
        "limit": page_size,
    }
    return {name: member for name, member in members.items() if member is not None}


_RECORD_AGE = timedelta(days=29)
"""An event that is older than this may have left the record, which has 30 days. Clocks may differ by the rest."""


class Follower:
    """Where a follower is in the record, and what it does after a failed request."""

    def __init__(self, after: str, max_retries: int) -> None:
        self.after = after
        self._last: Event | None = None
        self._max_retries = max_retries
        self._is_first = True
        self._failures = 0

    def receive(self, events: Sequence[Event]) -> None:
        """Takes the events of a response. Raises TuaUnexpectedResponseError where they never end."""
        if self.after and any(event.id == self.after for event in events):
            message = "The events after an event have this event, so they never end."
            raise TuaUnexpectedResponseError(message, 200, outcome_unknown=False, idempotency_key=None)
        self._is_first = False
        self._failures = 0

    def advance(self, event: Event) -> None:
        """Continues after this event, which was yielded."""
        self._last = event
        self.after = event.id

    def pause(self, error: TuaRequestError) -> float:
        """Seconds before the next request. Raises the error where there is none: another refusal than 408, 429 and 5xx, no
        first response after `max_retries` repetitions, or no response that can be used after so many."""
        if not self._is_first and self.after and _is_refused_position(error) and _may_have_left(self._last):
            # No event came for 30 days, so the record has no event that was not seen.
            self.after = ""
            return 0.0
        is_unusable = isinstance(error, TuaUnexpectedResponseError) and error.status < 300
        is_limited = self._is_first or not _is_outage(error)
        if not (_is_outage(error) or is_unusable) or (is_limited and self._failures >= self._max_retries):
            raise error
        delay = backoff(self._failures, error.retry_after if isinstance(error, TuaApiError) else None)
        self._failures += 1
        return delay


def _is_refused_position(error: TuaRequestError) -> bool:
    """Whether the record does not have the event after which it asks."""
    return isinstance(error, TuaApiError) and (error.status, error.code) == (422, "invalid_parameter")


def _may_have_left(last: Event | None) -> bool:
    """Whether the last event is so old that the record may not have it any more. True where none was yielded: then it was
    there at the first response. A newer event that is absent was lost with a database, so the caller decides."""
    if last is None:
        return True
    try:
        return datetime.now(UTC) - datetime.fromisoformat(last.timestamp) > _RECORD_AGE
    except (ValueError, TypeError):
        return False


def _is_outage(error: TuaRequestError) -> bool:
    """Whether the service was not reached, or could not serve the request."""
    if isinstance(error, TuaConnectionError):
        return True
    status = error.status if isinstance(error, TuaApiError | TuaUnexpectedResponseError) else 0
    return status >= 500 or status in (408, 429)
