"""The settings of the plug-in: the dictionary `TUA` of the shop's Django settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import timedelta
from typing import Any, Literal

from django.conf import settings
from tua_pay import Tua, Webhook

Mode = Literal["test", "live"]
"""Test payments move no money."""

CURRENCY = "GHS"

_REQUEST_TIMEOUT = 15.0
"""How long a shopper or a member of staff waits for Tua, in seconds, with all attempts."""


@dataclass(frozen=True)
class Options:
    """The dictionary `TUA`, each key in lower case. The `repr` shows no secret."""

    secret_key: str = field(default="", repr=False)
    """`tua_test_v2_…` for test payments, `tua_live_v2_…` for real ones."""
    base_url: str = ""
    """The API root, such as https://pay.example/v1."""
    webhook_secret: str | list[str] = field(default="", repr=False)
    """`whsec_…`; during a rotation a list of the new and the old one."""
    waiting_status: str = "Waiting for payment"
    """The status of an order that is not paid yet."""
    paid_status: str = "Being processed"
    """The status of an order that was paid."""
    cancelled_status: str = "Cancelled"
    cancel_unpaid_after_hours: float | None = 24
    """After how many hours `tua_reconcile` cancels an order whose payment is over, if Tua reports
    that no money moved. None: never."""
    refund_event_code: str = "refund"
    """The code of the payment event type that refunds."""

    @property
    def mode(self) -> Mode:
        """The mode of the secret key."""
        return "live" if re.match(r"(tua|sk)_live_", self.secret_key) else "test"

    @property
    def cancel_unpaid_after(self) -> timedelta | None:
        hours = self.cancel_unpaid_after_hours
        return None if hours is None else timedelta(hours=hours)


def option_names() -> set[str]:
    """The keys that the dictionary may have."""
    return {option.name.upper() for option in fields(Options)}


def options() -> Options:
    """The settings as they are now. Unknown keys are left to the system check."""
    stored: dict[str, Any] = getattr(settings, "TUA", {})
    known = option_names()
    return Options(**{name.lower(): value for name, value in stored.items() if name in known})


@contextmanager
def client(total_timeout: float = _REQUEST_TIMEOUT) -> Iterator[Tua]:
    """A client of the service. Raises TuaUsageError, which never shows the key, where a setting is
    wrong."""
    read = options()
    with Tua(
        secret_key=read.secret_key, base_url=read.base_url, total_timeout=total_timeout
    ) as tua:
        yield tua


def verifier() -> Webhook:
    """The verifier of the webhooks. Raises TuaUsageError where the secret is wrong."""
    return Webhook(options().webhook_secret)
