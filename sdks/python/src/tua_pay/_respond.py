"""The response to a webhook, for every framework."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .errors import TuaUsageError, TuaWebhookError
from .events import Event
from .webhook import EventHandler, Webhook

_LOG = logging.getLogger("tua_pay.webhook")
CONTENT_TYPE = "text/plain; charset=utf-8"


class WebhookResponse(NamedTuple):
    """204, 400 for a delivery that is not verified, 413 for a body of more than 1 MiB, or 500 where the handler raised.
    The text leaves the shop, so it holds nothing of the handler's error."""

    status: int
    text: str


DONE = WebhookResponse(204, "")
_ARGUMENTS = "webhook_view and webhook_endpoint take a Webhook and a function: webhook_view(Webhook(secret), handle)."
_COROUTINE = "The webhook's handler is a coroutine (async def), which is not awaited here. Use def."
_NOT_AWAITED = "The webhook's handler did not run: it is a coroutine (async def), which is not awaited here. Use def."


def check_arguments(webhook: Webhook, handler: EventHandler, *, is_awaited: bool) -> None:
    """Refuses what would fail at each delivery, when the route is registered. No message contains a secret."""
    if not isinstance(webhook, Webhook) or not callable(handler):
        raise TuaUsageError(_ARGUMENTS)
    if not is_awaited and inspect.iscoroutinefunction(handler):
        raise TuaUsageError(_COROUTINE)


def verify(webhook: Webhook, body: Callable[[], bytes], headers: Mapping[str, str]) -> Event | WebhookResponse:
    """The event of a delivery, or the refusal."""
    try:
        return webhook.verify(body(), headers)
    except TuaWebhookError as error:
        _LOG.warning("webhook refused: %s", error)
        return WebhookResponse(413 if error.code == "body_too_large" else 400, f"{error}\n")


def failed() -> WebhookResponse:
    """The response after a handler raised. Call it while the exception is handled."""
    _LOG.exception("the webhook's handler failed")
    return WebhookResponse(500, "The shop could not process the event. Send it again.\n")


def respond(
    webhook: Webhook, body: Callable[[], bytes], headers: Mapping[str, str], handler: EventHandler
) -> WebhookResponse:
    """Verifies a delivery and runs the handler."""
    event = verify(webhook, body, headers)
    if isinstance(event, WebhookResponse):
        return event
    try:
        result = handler(event)
    except Exception:
        return failed()
    if inspect.isawaitable(result):
        if inspect.iscoroutine(result):
            result.close()
        _LOG.error(_NOT_AWAITED)
        return WebhookResponse(500, f"{_NOT_AWAITED}\n")
    return DONE
