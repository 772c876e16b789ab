"""Row locks that every database has: an UPDATE that changes nothing. SQLite has no SELECT FOR
UPDATE, and a transaction that begins with a read there fails where it writes later.

Whoever locks an order and an attempt or refund locks the order first.
"""

from __future__ import annotations

from typing import Any

from django.db.models import F
from pretix.base.models import Order


def lock_order(pk: int) -> Any:
    """Locks an order until the transaction ends, and returns it as it is now."""
    Order.objects.filter(pk=pk).update(status=F("status"))
    return Order.objects.select_related("event", "event__organizer").get(pk=pk)
