"""The cases of sdks/conformance, with both clients."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any
from urllib.parse import quote

import anyio
import httpx
import pytest
from conformance import arguments, check, client_options, identifier, program, read

import tua_pay

CASES = read("cases.json")
Outcome = tuple[Any, tua_pay.TuaError | None, float]


def call_sync(case: dict[str, Any], base_url: str) -> Any:
    resource, method, args, keywords = arguments(case)
    with tua_pay.Tua(**client_options(case, base_url)) as client:
        result = getattr(getattr(client, resource), method)(*args, **keywords)
        if method == "follow":
            return {"ids": [event.id for event in islice(result, case["args"]["take"])]}
        return {"ids": list(map(identifier, result))} if isinstance(result, tua_pay.Pages) else result


def call_async(case: dict[str, Any], base_url: str) -> Any:
    async def call() -> Any:
        resource, method, args, keywords = arguments(case)
        async with tua_pay.AsyncTua(**client_options(case, base_url)) as client:
            result = getattr(getattr(client, resource), method)(*args, **keywords)
            if method == "follow":
                return {"ids": [(await anext(result)).id for _ in range(case["args"]["take"])]}
            if isinstance(result, tua_pay.AsyncPages):
                return {"ids": [identifier(item) async for item in result]}
            return await result

    return anyio.run(call)


CALLS = {"sync": call_sync, "async": call_async}


def cases_of(kind: str) -> list[dict[str, Any]]:
    """The cases that this client plays: all but those that name it in `except`."""
    return [case for case in CASES if f"python-{kind}" not in case.get("except", [])]


def measure(kind: str, case: dict[str, Any], base_url: str) -> Outcome:
    begun = time.monotonic()
    try:
        return CALLS[kind](case, base_url), None, time.monotonic() - begun
    except tua_pay.TuaError as error:
        return None, error, time.monotonic() - begun


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with program("server.mjs") as address:
        yield address


@pytest.fixture(scope="module")
def outcomes(server: str) -> Iterator[dict[str, Future[Outcome]]]:
    """All cases at once, because most of their time is waiting."""
    with ThreadPoolExecutor(12) as pool:
        yield {
            f"{kind} {case['name']}": pool.submit(measure, kind, case, f"{address(server, kind, case)}/v1")
            for kind in CALLS
            for case in cases_of(kind)
        }


def address(server: str, kind: str, case: dict[str, Any]) -> str:
    return f"{server}/python-{kind}/{quote(case['name'])}"


@pytest.mark.parametrize(
    ("kind", "case"),
    [pytest.param(kind, case, id=f"{kind}-{case['name']}") for kind in CALLS for case in cases_of(kind)],
)
def test_case(server: str, outcomes: dict[str, Future[Outcome]], kind: str, case: dict[str, Any]) -> None:
    value, error, elapsed = outcomes[f"{kind} {case['name']}"].result()
    check(case, value, error)
    least, most = case["expect"].get("elapsedMs", [0, 20_000])
    assert least <= elapsed * 1000 <= most, f"it took {elapsed:.1f} s"
    assert httpx.get(f"{address(server, kind, case)}/verify").json() == {"problems": []}


@pytest.mark.parametrize("vector", read("webhooks.json"), ids=lambda vector: vector["name"])
def test_webhook(vector: dict[str, Any]) -> None:
    webhook = tua_pay.Webhook(vector["secrets"])
    expect = vector["expect"]

    def verify() -> tua_pay.Event:
        return webhook.verify(vector["body"].encode(), vector["headers"], now=vector["now"])

    if "error" in expect:
        with pytest.raises(tua_pay.TuaWebhookError) as caught:
            verify()
        assert caught.value.code == expect["error"]
        return
    event = verify()
    wanted = dict(expect["event"])
    original = wanted.pop("originalType", None)
    if original is not None:
        wanted["type"] = original
        assert isinstance(event, tua_pay.UnknownEvent)
        assert event.data is not None
        assert event.data["checkoutId"] == json.loads(vector["body"])["data"]["checkoutId"]
    assert {"id": event.id, "type": event.type} == wanted
