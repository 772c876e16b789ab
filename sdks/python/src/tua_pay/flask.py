"""Webhooks and carts in Flask."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from ._respond import CONTENT_TYPE, check_arguments, respond
from .cart import MAX_CART_BYTES, CartCheckout, CartRequest
from .webhook import MAX_BODY_BYTES, EventHandler, Webhook, body_parsed, body_too_large

_ADVICE = "Do not read request.stream or request.form before this view."


def webhook_view(webhook: Webhook, handler: EventHandler) -> Callable[[], Response]:
    """A view: `app.post("/webhooks")(webhook_view(webhook, handler))`."""
    check_arguments(webhook, handler, is_awaited=False)

    def tua_webhook() -> Response:
        status, text = respond(webhook, _read_body, dict(request.headers), handler)
        return Response(text, status, content_type=CONTENT_TYPE)

    return tua_webhook


def checkout_view(cart: CartCheckout) -> Callable[[], Response]:
    """A view: `app.post("/checkout")(checkout_view(cart))`. The address of the client is `request.remote_addr`, which
    follows Werkzeug's `ProxyFix`."""

    def tua_checkout() -> Response:
        headers = request.headers
        try:
            body = _read_bytes(MAX_CART_BYTES)
        except RequestEntityTooLarge:
            body = b" " * (MAX_CART_BYTES + 1)
        response = cart.respond(
            CartRequest(headers.get("content-type"), body, headers.get("content-encoding"), request.remote_addr)
        )
        return Response(response.body, response.status, response.headers)

    return tua_checkout


def _read_body() -> bytes:
    try:
        body = _read_bytes(MAX_BODY_BYTES)
    except RequestEntityTooLarge as error:
        raise body_too_large() from error
    if len(body) > MAX_BODY_BYTES:
        raise body_too_large()
    if not body and request.content_length:
        raise body_parsed(_ADVICE)
    return body


def _read_bytes(limit: int) -> bytes:
    """The body. Werkzeug refuses one that is longer, or cuts it after one more byte where it has no length."""
    own = request.max_content_length
    longest = limit + 1
    request.max_content_length = longest if own is None else min(own, longest)
    return request.get_data(cache=True, parse_form_data=False)
