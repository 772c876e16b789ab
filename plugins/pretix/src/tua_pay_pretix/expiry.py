"""What happens when an order expires: Tua is asked first whether a payment of it is under way."""

from __future__ import annotations

from typing import Any

from django.utils.timezone import now
from tua_pay import CheckoutStatus

from .attention import LOG
from .checkouts import ask
from .closing import PaymentRefusal, close_attempts
from .holding import hold_order
from .models import OPEN_STATES, Attempt
from .reconcile import ASK_AGE


def resolve_expired(order: Any) -> None:
    """Closes the checkouts of an order that has expired. If a payment of it is under way, or if
    that is not known, the order waits again; if one has arrived, pretix marks it as paid."""
    attempts = Attempt.objects.filter(payment__order=order, state__in=OPEN_STATES)
    for attempt in attempts.select_related("payment__order__event"):
        try:
            close_attempts([attempt])
        except PaymentRefusal:
            _resolve(order, attempt)


def _resolve(order: Any, attempt: Attempt) -> None:
    status = ask(attempt)
    is_unknown = status is None and attempt.created_at > now() - ASK_AGE
    if is_unknown or status is CheckoutStatus.PENDING:
        hold_order(order)
    else:
        LOG.info("Order %s: its checkout is %s.", order.code, status)
