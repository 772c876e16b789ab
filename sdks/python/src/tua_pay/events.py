"""The events of webhooks and of the list of events. `isinstance` selects the type of `data`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._base import Model
from .models import Checkout, Refund, Transaction


@dataclass(frozen=True)
class _Event:
    id: str
    """The same for every delivery of this event: ignore one that was processed already."""
    type: str
    """Such as `charge.successful`; see docs/reference/webhooks.md."""
    timestamp: str
    """When it happened (ISO 8601)."""


@dataclass(frozen=True)
class TransactionEvent(_Event):
    """`charge.…` and `payout.…`."""

    data: Transaction


@dataclass(frozen=True)
class RefundEvent(_Event):
    """`refund.…`."""

    data: Refund


@dataclass(frozen=True)
class CheckoutEvent(_Event):
    """`checkout.…`."""

    data: Checkout


@dataclass(frozen=True)
class PingEvent(_Event):
    """`ping`: what `tua webhook ping` sends."""

    endpoint_id: str


@dataclass(frozen=True)
class UnknownEvent(_Event):
    """An event of a type that this version does not have, or whose data the service could not read: then `data` is None.
    Answer 2xx and ignore it."""

    data: dict[str, Any] | None


Event = TransactionEvent | RefundEvent | CheckoutEvent | PingEvent | UnknownEvent

_KINDS = {
    "charge": ("pending", "action_required", "successful", "failed", "delayed", "conflict"),
    "payout": ("pending", "successful", "failed", "delayed", "conflict", "reversed"),
    "refund": ("pending", "successful", "failed", "delayed", "conflict"),
    "checkout": ("opened", "paid", "attempt_failed", "expired", "closed"),
}
EVENT_TYPES = frozenset([f"{subject}.{kind}" for subject, kinds in _KINDS.items() for kind in kinds] + ["ping"])
"""The types that this version has: the events of docs/openapi.json."""


class _PingData(Model):
    endpointId: str


def make_event(id: str, type: str, timestamp: str, data: dict[str, Any] | None) -> Event:
    """The event of a body. Raises ValueError where `data` is not as documented."""
    subject = type.partition(".")[0]
    if data is None or type not in EVENT_TYPES:
        return UnknownEvent(id, type, timestamp, data)
    if subject == "ping":
        return PingEvent(id, type, timestamp, _PingData.model_validate(data).endpointId)
    if subject == "checkout":
        return CheckoutEvent(id, type, timestamp, Checkout.model_validate(data))
    if subject == "refund":
        return RefundEvent(id, type, timestamp, Refund.model_validate(data))
    return TransactionEvent(id, type, timestamp, Transaction.model_validate(data))
