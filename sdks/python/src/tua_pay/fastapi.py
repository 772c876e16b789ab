"""Webhooks and carts in FastAPI and Starlette."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ._respond import CONTENT_TYPE, DONE, WebhookResponse, check_arguments, failed, verify
from .cart import MAX_CART_BYTES, CartCheckout, CartRequest
from .errors import TuaWebhookError
from .webhook import MAX_BODY_BYTES, EventHandler, Webhook, body_parsed, body_too_large

_ADVICE = "Do not read request.stream() before this route, also not in a middleware."


def webhook_endpoint(webhook: Webhook, handler: EventHandler) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint: `app.post("/webhooks")(webhook_endpoint(webhook, handler))`. A handler that is no coroutine runs in a
    thread."""
    check_arguments(webhook, handler, is_awaited=True)

    async def tua_webhook(request: Request) -> Response:
        status, text = await _respond(webhook, request, handler)
        return Response(text, status, headers={"content-type": CONTENT_TYPE})

    # FastAPI reads annotations at run time, in the module of the application.
    tua_webhook.__annotations__ = {"request": Request, "return": Response}
    return tua_webhook


def checkout_endpoint(cart: CartCheckout) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint: `app.post("/checkout")(checkout_endpoint(cart))`. The address of the client is `request.client`, which
    follows Uvicorn's `--proxy-headers`."""

    async def tua_checkout(request: Request) -> Response:
        headers = request.headers
        response = await cart.respond_async(
            CartRequest(
                headers.get("content-type"),
                await _read_bytes(request, MAX_CART_BYTES),
                headers.get("content-encoding"),
                request.client and request.client.host,
            )
        )
        return Response(response.body, response.status, headers=response.headers)

    # FastAPI reads annotations at run time, in the module of the application.
    tua_checkout.__annotations__ = {"request": Request, "return": Response}
    return tua_checkout


async def _respond(webhook: Webhook, request: Request, handler: EventHandler) -> WebhookResponse:
    try:
        body: bytes | TuaWebhookError = await _read_body(request)
    except TuaWebhookError as error:
        body = error

    def read_body() -> bytes:
        if isinstance(body, TuaWebhookError):
            raise body
        return body

    event = verify(webhook, read_body, request.headers)
    if isinstance(event, WebhookResponse):
        return event
    try:
        if inspect.iscoroutinefunction(handler):
            await handler(event)
        else:
            # A lambda is no coroutine function, but may return a coroutine.
            result = await run_in_threadpool(handler, event)
            if inspect.isawaitable(result):
                await result
    except Exception:
        return failed()
    return DONE


async def _read_body(request: Request) -> bytes:
    try:
        body = await _read_bytes(request, MAX_BODY_BYTES)
    except RuntimeError as error:  # Starlette: the stream was consumed.
        raise body_parsed(_ADVICE) from error
    if len(body) > MAX_BODY_BYTES:
        raise body_too_large()
    return body


async def _read_bytes(request: Request, limit: int) -> bytes:
    """Reads the body until it is longer than the limit."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            break
    return b"".join(chunks)
