"""Webhooks in Flask."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request

from ._respond import CONTENT_TYPE, respond
from .webhook import EventHandler, Webhook, body_parsed

_ADVICE = "Do not read request.stream or request.form before this view."


def webhook_view(webhook: Webhook, handler: EventHandler) -> Callable[[], Response]:
    """A view: `app.post("/webhooks")(webhook_view(webhook, handler))`."""

    def tua_webhook() -> Response:
        status, text = respond(webhook, _read_body, dict(request.headers), handler)
        return Response(text, status, content_type=CONTENT_TYPE)

    return tua_webhook


def _read_body() -> bytes:
    body = request.get_data(cache=True, parse_form_data=False)
    if not body and request.content_length:
        raise body_parsed(_ADVICE)
    return body
