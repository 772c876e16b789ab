"""Webhooks in FastAPI and Starlette."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ._respond import CONTENT_TYPE, DONE, WebhookResponse, failed, verify
from .webhook import EventHandler, Webhook, body_parsed

_ADVICE = "Do not read request.stream() before this route, also not in a middleware."


def webhook_endpoint(webhook: Webhook, handler: EventHandler) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint: `app.post("/webhooks")(webhook_endpoint(webhook, handler))`. A handler that is no coroutine runs in a
    thread."""

    async def tua_webhook(request: Request) -> Response:
        status, text = await _respond(webhook, request, handler)
        return Response(text, status, headers={"content-type": CONTENT_TYPE})

    # FastAPI reads annotations at run time, in the module of the application.
    tua_webhook.__annotations__ = {"request": Request, "return": Response}
    return tua_webhook


async def _respond(webhook: Webhook, request: Request, handler: EventHandler) -> WebhookResponse:
    body: bytes | None
    try:
        body = await request.body()
    except RuntimeError:  # Starlette: the stream was consumed.
        body = None

    def read_body() -> bytes:
        if body is None:
            raise body_parsed(_ADVICE)
        return body

    event = verify(webhook, read_body, request.headers)
    if isinstance(event, WebhookResponse):
        return event
    try:
        if inspect.iscoroutinefunction(handler):
            await handler(event)
        else:
            await run_in_threadpool(handler, event)
    except Exception:
        return failed()
    return DONE
