"""The webhooks of the package in the real frameworks."""

from __future__ import annotations

import base64
import functools
import hashlib
import hmac
import importlib
import io
import time
from collections.abc import Callable
from typing import Any

import pytest

from tua_pay import Event, PingEvent, TuaUsageError, Webhook
from tua_pay.webhook import EventHandler

SECRET = b"m" * 32
WEBHOOK = Webhook("whsec_" + base64.b64encode(SECRET).decode())
# White space that a framework loses when it parses the body and writes it again.
PING = b'{"type": "ping",  "timestamp": "2026-11-21T10:00:00.000Z", "data": {"endpointId": "whe_1"}}'

# A function that sends a body with headers to a shop with this handler, and returns the status and the text.
Send = Callable[[EventHandler, bytes, dict[str, str]], tuple[int, str]]


def signed(body: bytes = PING) -> dict[str, str]:
    timestamp = str(int(time.time()))
    digest = hmac.new(SECRET, f"msg_1.{timestamp}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"webhook-id": "msg_1", "webhook-timestamp": timestamp, "webhook-signature": signature}


def in_flask(handler: EventHandler, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    import flask

    from tua_pay.flask import webhook_view

    app = flask.Flask("shop")
    app.post("/webhooks")(webhook_view(WEBHOOK, handler))
    response = app.test_client().post("/webhooks", data=body, headers=headers, content_type="application/json")
    return response.status_code, response.text


def in_fastapi(handler: EventHandler, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    import anyio
    import fastapi
    import httpx

    from tua_pay.fastapi import webhook_endpoint

    app = fastapi.FastAPI()
    app.post("/webhooks")(webhook_endpoint(WEBHOOK, handler))

    async def send() -> tuple[int, str]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://shop") as client:
            response = await client.post("/webhooks", content=body, headers=headers)
        return response.status_code, response.text

    return anyio.run(send)


urlpatterns: list[Any] = []


def in_django(handler: EventHandler, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    from django.test import Client, override_settings
    from django.urls import clear_url_caches, path

    from tua_pay.django import webhook_view

    urlpatterns[:] = [path("webhooks", webhook_view(WEBHOOK, handler))]
    clear_url_caches()
    client = Client(enforce_csrf_checks=True)
    with override_settings(ROOT_URLCONF="test_middleware"):
        response = client.post("/webhooks", body, content_type="application/json", headers=headers)
    return response.status_code, response.content.decode()


@pytest.mark.parametrize("send", [in_flask, in_fastapi, in_django])
def test_a_framework_answers_webhooks(send: Send, caplog: pytest.LogCaptureFixture) -> None:
    events: list[Event] = []
    assert send(events.append, PING, signed()) == (204, "")
    assert events == [PingEvent("msg_1", "ping", "2026-11-21T10:00:00.000Z", "whe_1")]
    status, text = send(events.append, PING.replace(b"whe_1", b"whe_2"), signed())
    assert status == 400 and "signature does not match" in text
    (record,) = (record for record in caplog.records if record.name == "tua_pay.webhook")
    assert record.levelname == "WARNING" and "TUA_WEBHOOK_SECRET" in record.getMessage()
    assert "\n" not in record.getMessage() and base64.b64encode(SECRET).decode() not in record.getMessage()
    assert send(events.append, b"", {})[0] == 400
    assert len(events) == 1

    def fail(event: Event) -> None:
        raise RuntimeError("the database is down: password hunter2")

    status, text = send(fail, PING, signed())
    assert status == 500 and "hunter2" not in text
    large = b" " * 1_048_577
    assert send(events.append, large, signed(large))[0] == 413
    assert len(events) == 1


async def never_awaited(event: Event) -> None:
    raise AssertionError("it does not run")


@pytest.mark.parametrize("send", [in_flask, in_django])
def test_a_coroutine_that_nobody_awaits_is_a_fault(send: Send) -> None:
    # A lambda is no coroutine function, so this is seen when it returns.
    status, text = send(lambda event: never_awaited(event), PING, signed())
    assert status == 500 and "async def" in text


@pytest.mark.parametrize("module", ["flask", "django"])
@pytest.mark.parametrize("handler", [never_awaited, functools.partial(never_awaited)])
def test_a_coroutine_is_refused_when_the_route_is_registered(module: str, handler: EventHandler) -> None:
    with pytest.raises(TuaUsageError, match="async def"):
        view_of(module)(WEBHOOK, handler)


@pytest.mark.parametrize("module", ["flask", "django", "fastapi"])
@pytest.mark.parametrize("wrong", [("whsec_hunter2", print), (None, print), (WEBHOOK, None), (print, WEBHOOK)])
def test_wrong_arguments_are_refused_when_the_route_is_registered(module: str, wrong: tuple[Any, Any]) -> None:
    with pytest.raises(TuaUsageError, match=r"Webhook\(secret\)") as caught:
        view_of(module)(*wrong)
    assert "hunter2" not in str(caught.value)


def view_of(module: str) -> Callable[..., object]:
    imported = importlib.import_module(f"tua_pay.{module}")
    view: Callable[..., object] = imported.webhook_endpoint if module == "fastapi" else imported.webhook_view
    return view


def test_fastapi_awaits_what_a_lambda_returns() -> None:
    events: list[Event] = []

    async def handler(event: Event) -> None:
        events.append(event)

    assert in_fastapi(lambda event: handler(event), PING, signed())[0] == 204
    assert len(events) == 1


def test_flask_counts_a_body_without_a_length() -> None:
    import flask

    from tua_pay.flask import webhook_view

    app = flask.Flask("shop")
    app.post("/webhooks")(webhook_view(WEBHOOK, lambda event: None))
    stream = io.BytesIO(b" " * 1_048_577)
    environ = {"wsgi.input_terminated": True, "wsgi.input": stream, "HTTP_TRANSFER_ENCODING": "chunked"}
    response = app.test_client().post("/webhooks", headers=signed(), environ_overrides=environ)
    assert response.status_code == 413


def test_fastapi_awaits_a_coroutine() -> None:
    events: list[Event] = []

    async def handler(event: Event) -> None:
        events.append(event)

    assert in_fastapi(handler, PING, signed())[0] == 204
    assert len(events) == 1


def test_flask_names_what_consumed_the_body() -> None:
    import flask

    from tua_pay.flask import webhook_view

    app = flask.Flask("shop")
    app.post("/webhooks")(webhook_view(WEBHOOK, lambda event: None))
    app.before_request(lambda: flask.request.stream.read() and None)
    response = app.test_client().post("/webhooks", data=PING, headers=signed())
    assert response.status_code == 400 and "request.stream" in response.text


def test_django_names_what_consumed_the_body() -> None:
    from django.test import RequestFactory

    from tua_pay.django import webhook_view

    form = "multipart/form-data; boundary=x"
    request = RequestFactory().post("/webhooks", b"--x--", content_type=form, headers=signed(b"--x--"))
    assert not request.POST
    response = webhook_view(WEBHOOK, lambda event: None)(request)
    assert response.status_code == 400 and b"request.POST" in response.content
