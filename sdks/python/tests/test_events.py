"""Following events, and requests that are not repeated blindly."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import anyio
import httpx
import pytest

from tua_pay import AsyncTua, Tua, TuaConnectionError, TuaUsageError, UnknownEvent
from tua_pay.testing import example_event

OPTIONS: dict[str, Any] = {"secret_key": "tua_test_v2_events", "base_url": "https://pay.example/v1"}
CALLS: dict[str, Callable[[Tua], object]] = {
    "a rotation": lambda tua: tua.webhook_endpoints.rotate("whe_1"),
    "an advance of the clock": lambda tua: tua.sandbox.advance_clock(60),
}


def page(*ids: str) -> dict[str, Any]:
    return {"data": [{"eventId": id, **example_event("charge.successful")} for id in ids], "nextCursor": None}


class Service:
    """A service that answers each request with the next body, and keeps the addresses."""

    def __init__(self, *bodies: dict[str, Any]) -> None:
        self.urls: list[httpx.URL] = []
        self._bodies = bodies
        self.transport = httpx.MockTransport(self._respond)

    def _respond(self, request: httpx.Request) -> httpx.Response:
        self.urls.append(request.url)
        return httpx.Response(200, json=self._bodies[len(self.urls) - 1])

    def client(self) -> Tua:
        return Tua(http_client=httpx.Client(transport=self.transport), **OPTIONS)


def test_a_callback_ends_it_between_two_events_of_a_response() -> None:
    service = Service(page("msg_1", "msg_2"))
    seen: list[str] = []
    for event in service.client().events.follow(stop=lambda: "msg_1" in seen):
        seen.append(event.id)
    assert (seen, len(service.urls)) == (["msg_1"], 1)


def test_a_callback_ends_it_before_the_next_request() -> None:
    service = Service(page("msg_1", "msg_2"))
    seen: list[str] = []
    for event in service.client().events.follow(stop=lambda: "msg_2" in seen):
        seen.append(event.id)
    assert (seen, len(service.urls)) == (["msg_1", "msg_2"], 1)


def test_a_generator_that_is_closed_sends_nothing_more() -> None:
    service = Service(page("msg_1", "msg_2"))
    events = service.client().events.follow()
    assert next(events).id == "msg_1"
    events.close()
    assert list(events) == [] and len(service.urls) == 1


def test_a_task_that_is_cancelled_ends_it_while_it_waits() -> None:
    async def respond(request: httpx.Request) -> httpx.Response:
        if request.url.params["after"] == "msg_1":
            await anyio.sleep_forever()
        return httpx.Response(200, json=page("msg_1"))

    async def follow() -> list[str]:
        client = httpx.AsyncClient(transport=httpx.MockTransport(respond))
        seen: list[str] = []
        with anyio.move_on_after(0.2):
            async for event in AsyncTua(http_client=client, **OPTIONS).events.follow():
                seen.append(event.id)
        return seen

    assert anyio.run(follow) == ["msg_1"]


def test_an_event_without_data_is_an_unknown_one() -> None:
    (recorded,) = page("msg_1")["data"]
    (event,) = Service({"data": [recorded | {"data": None}], "nextCursor": None}).client().events.list()
    assert event == UnknownEvent("msg_1", "charge.successful", recorded["timestamp"], None)


def test_types_are_sent_as_one_parameter() -> None:
    service = Service(page())
    assert list(service.client().events.list(type=["charge.failed", "refund.failed"], from_="2026-11-01T00:00:00Z")) == []
    assert dict(service.urls[0].params) == {"type": "charge.failed,refund.failed", "from": "2026-11-01T00:00:00Z"}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_request_is_repeated_where_no_connection_is_made(call: Callable[[Tua], object]) -> None:
    requests: list[httpx.Request] = []
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # it does not listen
        base_url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        client = httpx.Client(event_hooks={"request": [requests.append]})
        with pytest.raises(TuaConnectionError) as caught:
            call(Tua(secret_key="tua_test_v2_events", base_url=base_url, max_retries=2, http_client=client))
    assert (caught.value.outcome_unknown, len(requests)) == (False, 3)


@pytest.mark.parametrize(
    ("error", "outcome_unknown"),
    [
        (httpx.ConnectTimeout, False),
        (httpx.PoolTimeout, False),
        (httpx.ReadTimeout, True),
        (httpx.WriteError, True),
        (httpx.RemoteProtocolError, True),
    ],
)
def test_the_error_decides_whether_a_request_was_sent(error: type[httpx.RequestError], outcome_unknown: bool) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise error("failed", request=request)

    client = httpx.Client(transport=httpx.MockTransport(fail))
    with pytest.raises(TuaConnectionError) as caught:
        Tua(http_client=client, max_retries=0, **OPTIONS).sandbox.advance_clock(60)
    assert caught.value.outcome_unknown is outcome_unknown


@pytest.mark.parametrize("seconds", ["31m", 1.5, True, None])
def test_seconds_are_a_whole_number(seconds: Any) -> None:
    with Tua(**OPTIONS) as tua, pytest.raises(TuaUsageError):
        tua.sandbox.advance_clock(seconds)
