"""Keeps an order from expiring while a payment of it is not confirmed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.timezone import now
from pretix.base.models import Order
from pretix.base.services.orders import OrderError, extend_order

from .attention import LOG, flag_once
from .locks import lock_order

_HOLD_TIME = timedelta(hours=3)
"""How long an order is kept from each answer that a payment is not confirmed."""

_HOLD_MARGIN = timedelta(hours=1)
"""An order that expires later than in this time is not changed, so its log stays short. The
periodic task must run more often."""


def hold_order(order: Any, moment: datetime | None = None) -> None:
    """Moves the expiry of an order that waits for its payment, if it is near. An order that has
    expired meanwhile waits again, if its tickets are still free; else people are told."""
    moment = moment or now()
    with transaction.atomic():
        # Money that arrives meanwhile waits for the lock: pretix would undo that the order is paid.
        locked = lock_order(order.pk)
        is_waiting = locked.status == Order.STATUS_PENDING
        if is_waiting and locked.expires >= moment + _HOLD_MARGIN:
            return
        if not is_waiting and locked.status != Order.STATUS_EXPIRED:
            return
        try:
            extend_order(locked, moment + _HOLD_TIME)
        except OrderError as error:
            flag_once(locked, "expired_unconfirmed", reason=error)
        else:
            LOG.info("Order %s waits for a payment that is not confirmed.", order.code)
