# Generated from _async_webhook_endpoints.py by scripts/generate_sync.py. Do not edit.
"""The addresses to which events are sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from ._exchange import Operation, begin, segment
from ._page import Page
from ._sync_pages import Pages
from ._sync_transport import Transport
from .models import EnabledWebhookEndpoint, WebhookEndpoint, WebhookEndpointWithSecret

T = TypeVar("T", bound=WebhookEndpoint)


class WebhookEndpoints:
    """`/webhooks`. The key needs the scope `webhooks`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, *, url: str, idempotency_key: str | None = None) -> WebhookEndpointWithSecret:
        """Adds an address. Store `secret`: it is not shown again. It is None where the endpoint was added by an earlier
        request with the same key, whose response was lost: then rotate it."""
        return self._transport.send(begin("/webhooks", WebhookEndpointWithSecret, url=url), idempotency_key)

    def get(self, endpoint_id: str) -> WebhookEndpoint:
        """The endpoint as it is now."""
        path = f"/webhooks/{segment(endpoint_id, 'endpoint_id')}"
        operation = Operation("GET", path, "reads", WebhookEndpoint, expected={"endpointId": endpoint_id})
        return self._transport.send(operation)

    def list(self, *, page_size: int | None = None) -> Pages[WebhookEndpoint]:
        """All endpoints that were not removed, newest first."""
        query = {} if page_size is None else {"limit": page_size}
        return Pages(self._transport, Operation("GET", "/webhooks", "reads", Page[WebhookEndpoint], query=query))

    def rotate(self, endpoint_id: str, *, overlap_hours: int | None = None) -> WebhookEndpointWithSecret:
        """Makes a new secret. The previous one signs too for `overlap_hours`, 0 to 2,160; 24 where it is None.

        A second rotation ends the secret from before the first one, so this is repeated only where it certainly did not
        reach the service. After an error with `outcome_unknown`, compare `old_secret_until` of `get` with its value from
        before.
        """
        body = {} if overlap_hours is None else {"overlapHours": overlap_hours}
        return self._change(endpoint_id, "rotate", WebhookEndpointWithSecret, "once", body)

    def enable(self, endpoint_id: str, *, resend: bool = False) -> EnabledWebhookEndpoint:
        """Sends new events to it from now on, and with `resend` also those that were recorded while it was disabled."""
        return self._change(endpoint_id, "enable", EnabledWebhookEndpoint, "repeatable", {"resend": resend})

    def disable(self, endpoint_id: str) -> WebhookEndpoint:
        """Records events for 30 days, and does not send them."""
        return self._change(endpoint_id, "disable", WebhookEndpoint, "repeatable", None)

    def remove(self, endpoint_id: str) -> WebhookEndpoint:
        """Removes an endpoint, which cannot be undone. `not_found` with `outcome_unknown` means that an earlier attempt of
        this call, whose response was lost, may have removed it."""
        return self._change(endpoint_id, "remove", WebhookEndpoint, "repeatable", None)

    def _change(
        self,
        endpoint_id: str,
        action: str,
        model: type[T],
        repetition: Literal["repeatable", "once"],
        body: Mapping[str, Any] | None,
    ) -> T:
        path = f"/webhooks/{segment(endpoint_id, 'endpoint_id')}/{action}"
        expected = {"endpointId": endpoint_id}
        return self._transport.send(Operation("POST", path, repetition, model, body=body, expected=expected))
