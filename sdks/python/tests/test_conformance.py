"""The cases of sdks/conformance, with both clients."""

from __future__ import annotations

import json
import os
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
SERVICE_CASES = read("service-cases.json") if "TUA_BIN" in os.environ else []
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


def cases_of(kind: str, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cases that this client plays: all but those that name it in `except`."""
    return [case for case in cases if f"python-{kind}" not in case.get("except", [])]


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
            for case in cases_of(kind, CASES)
        }


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    """The address of the proxy that misbehaves in front of the real service."""
    with program("service.mjs") as line:
        yield json.loads(line)["casesUrl"]


def begin_and_measure(kind: str, base: str) -> tuple[dict[str, Any], Outcome]:
    case: dict[str, Any] = httpx.get(f"{base}/begin", timeout=60).json()
    return case, measure(kind, case, f"{base}/v1")


@pytest.fixture(scope="module")
def service_outcomes(service: str) -> Iterator[dict[str, Future[tuple[dict[str, Any], Outcome]]]]:
    with ThreadPoolExecutor(8) as pool:
        yield {
            f"{kind} {case['name']}": pool.submit(begin_and_measure, kind, address(service, kind, case))
            for kind in CALLS
            for case in cases_of(kind, SERVICE_CASES)
        }


def address(server: str, kind: str, case: dict[str, Any]) -> str:
    return f"{server}/python-{kind}/{quote(case['name'])}"


def parametrize(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    names = ("kind", "case")
    return pytest.mark.parametrize(
        names, [pytest.param(kind, case, id=f"{kind}-{case['name']}") for kind in CALLS for case in cases_of(kind, cases)]
    )


@parametrize(CASES)
def test_case(server: str, outcomes: dict[str, Future[Outcome]], kind: str, case: dict[str, Any]) -> None:
    check_outcome(case, outcomes[f"{kind} {case['name']}"].result(), address(server, kind, case))


@parametrize(SERVICE_CASES)
def test_case_with_the_real_service(
    service: str, service_outcomes: dict[str, Future[tuple[dict[str, Any], Outcome]]], kind: str, case: dict[str, Any]
) -> None:
    begun, outcome = service_outcomes[f"{kind} {case['name']}"].result()
    check_outcome(begun, outcome, address(service, kind, case))


def check_outcome(case: dict[str, Any], outcome: Outcome, base: str) -> None:
    value, error, elapsed = outcome
    check(case, value, error)
    least, most = case["expect"].get("elapsedMs", [0, 20_000])
    assert least <= elapsed * 1000 <= most, f"it took {elapsed:.1f} s"
    assert httpx.get(f"{base}/verify", timeout=60).json() == {"problems": []}


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
