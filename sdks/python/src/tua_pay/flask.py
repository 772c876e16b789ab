"""Webhooks in Flask."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from ._respond import CONTENT_TYPE, respond
from .webhook import MAX_BODY_BYTES, EventHandler, Webhook, body_parsed, body_too_large

_ADVICE = "Do not read request.stream or request.form before this view."


def webhook_view(webhook: Webhook, handler: EventHandler) -> Callable[[], Response]:
    """A view: `app.post("/webhooks")(webhook_view(webhook, handler))`."""

    def tua_webhook() -> Response:
        status, text = respond(webhook, _read_body, dict(request.headers), handler)
        return Response(text, status, content_type=CONTENT_TYPE)

    return tua_webhook


def _read_body() -> bytes:
    limit = request.max_content_length
    longest = MAX_BODY_BYTES + 1
    # Werkzeug cuts a body without a length at the limit, so one byte more shows that it is too large.
    request.max_content_length = longest if limit is None else min(limit, longest)
    try:
        body = request.get_data(cache=True, parse_form_data=False)
    except RequestEntityTooLarge as error:
        raise body_too_large() from error
    if len(body) > MAX_BODY_BYTES:
        raise body_too_large()
    if not body and request.content_length:
        raise body_parsed(_ADVICE)
    return body
