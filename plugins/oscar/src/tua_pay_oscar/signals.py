"""Signals for the code of the shop."""

from __future__ import annotations

from django.dispatch import Signal

order_paid = Signal()
"""Sent at most once after an order was paid, with `order` and `payment`. Deliver digital goods
here: Oscar's `order_placed` is sent before the payer has paid."""
