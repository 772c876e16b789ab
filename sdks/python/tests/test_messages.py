"""What the errors of a request say."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import anyio
import httpx
import pytest

from tua_pay import AsyncTua, Tua, TuaApiError, TuaConnectionError, TuaRequestError

KEY = "tua_test_v2_topsecret"
CHECKOUT: dict[str, Any] = {"amount": "18.00", "email": "ama@example.com", "reference": "order-17"}


def error_of(base_url: str, client: httpx.Client | None = None) -> TuaRequestError:
    with pytest.raises(TuaRequestError) as caught:
        Tua(secret_key=KEY, base_url=base_url, max_retries=0, http_client=client).checkouts.create(**CHECKOUT)
    return caught.value


def error_of_async(base_url: str) -> TuaRequestError:
    async def call() -> None:
        async with AsyncTua(secret_key=KEY, base_url=base_url, max_retries=0) as tua:
            await tua.checkouts.create(**CHECKOUT)

    with pytest.raises(TuaRequestError) as caught:
        anyio.run(call)
    return caught.value


@pytest.fixture
def closed_url() -> Iterator[str]:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # it does not listen
        yield f"http://127.0.0.1:{closed.getsockname()[1]}/v1"


@pytest.mark.parametrize("call", [error_of, error_of_async])
def test_a_refused_connection_names_the_address_and_the_reason(call: Any, closed_url: str) -> None:
    try:
        raise OSError(2, "a fault that the shop handles meanwhile")
    except OSError:
        error = call(closed_url)
    assert isinstance(error, TuaConnectionError)
    assert str(error) == f"POST /checkout: no connection to {closed_url} (Connection refused). Does the service run there?"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            httpx.RemoteProtocolError(f"illegal status line: {KEY}, sk_live_topsecret"),
            "status line: tua_test_…, sk_live_…).",
        ),
        (httpx.LocalProtocolError(f"Illegal header value: {KEY}"), "failed or broke (the request is not allowed in HTTP)."),
        (httpx.ReadError(""), "the connection to https://pay.example/v1 failed or broke."),
        (httpx.RemoteProtocolError("x " * 1000), "x x …)."),
        (httpx.ReadTimeout("timed out"), "no response in time from https://pay.example/v1."),
        (httpx.ConnectTimeout("timed out"), "no connection to https://pay.example/v1 (timed out)."),
    ],
)
def test_a_broken_connection_says_why_without_the_key(error: httpx.RequestError, words: str) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        error.request = request
        raise error

    text = str(error_of("https://pay.example/v1", httpx.Client(transport=httpx.MockTransport(fail))))
    assert words in text and "topsecret" not in text and len(text) < 350


def refusal(detail: str, *faults: tuple[str, str]) -> str:
    errors = [{"pointer": pointer, "code": "invalid", "detail": text} for pointer, text in faults]
    body = {"code": "validation_failed", "detail": detail, "errors": errors, "requestId": "req_1"}
    client = httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(422, json=body)))
    error = error_of("https://pay.example/v1", client)
    assert isinstance(error, TuaApiError) and len(error.errors) == len(faults)
    return str(error)


def test_a_refusal_names_its_fields() -> None:
    assert refusal("No.") == "validation_failed: No. (request req_1)"
    two = refusal("2 fields are not valid.", ("/email", "It is no address."), ("/reference", "This must be a string."))
    faults = "/email: It is no address. /reference: This must be a string."
    assert two == f"validation_failed: 2 fields are not valid. {faults} (request req_1)"
    one = refusal("This must be a string.", ("/reference", "This must be a string."))
    assert one == "validation_failed: /reference: This must be a string. (request req_1)"


def test_a_refusal_with_many_faults_is_short() -> None:
    text = refusal("Many.", *[(f"/payouts/{place}/amount", "x" * 5000) for place in range(100)])
    assert "/payouts/4/amount" in text and "/payouts/5/amount" not in text
    assert text.endswith("And 95 more. (request req_1)") and len(text) < 1300
