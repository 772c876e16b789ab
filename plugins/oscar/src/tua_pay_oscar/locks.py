"""Row locks that every database has: an UPDATE that changes nothing. SQLite has no SELECT FOR
UPDATE, and a transaction that begins with a read there fails where it writes later.

Whoever locks an order and a payment locks the order first.
"""

from __future__ import annotations

from typing import Any

from django.db.models import F
from oscar.core.loading import get_model

from .conf import options
from .models import Payment


def lock_order(pk: int) -> Any:
    """Locks an order until the transaction ends, and returns it as it is now."""
    orders = get_model("order", "Order").objects
    orders.filter(pk=pk).update(status=F("status"))
    return orders.get(pk=pk)


def lock_waiting_order(pk: int) -> bool:
    """Locks an order that waits for its payment. Returns whether it does."""
    waiting = options().waiting_status
    orders = get_model("order", "Order").objects
    return bool(orders.filter(pk=pk, status=waiting).update(status=waiting))


def lock_payment(pk: int) -> Payment:
    """Locks a payment until the transaction ends, and returns it as it is now."""
    Payment.objects.filter(pk=pk).update(state=F("state"))
    return Payment.objects.get(pk=pk)
