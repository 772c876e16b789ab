"""For Oscar's event handler: the dashboard refunds with it, and changes the status of orders."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any

from django.db import transaction
from oscar.apps.payment.exceptions import PaymentError

from . import texts
from .checkouts import PaymentRefusal, close_payments
from .conf import options
from .locks import lock_order
from .models import OPEN_STATES, Payment, Refund
from .refunds import explain_pending, refund_order


class RefundPending(Exception):
    """The outcome of the refund is not known yet. It is no PaymentError, of which the dashboard
    would say that nothing was done."""


class TuaEventHandlerMixin:
    """Put it before Oscar's `EventHandler`, or before the shop's."""

    closes_tua_payments = True
    """False where the money has arrived: then nothing keeps the order waiting."""

    def handle_order_status_change(
        self, order: Any, new_status: str, note_msg: str | None = None
    ) -> None:
        """Closes the checkout of an order that no longer waits. Raises PaymentError where a payment
        is under way or has arrived: such an order goes on waiting."""
        change = partial(super().handle_order_status_change, order, new_status, note_msg)  # type: ignore[misc]
        leaves = order.status == options().waiting_status and new_status != order.status
        if not leaves or not self.closes_tua_payments:
            change()
            return
        try:
            close_payments(order)
        except PaymentRefusal as refusal:
            raise PaymentError(str(refusal)) from refusal
        with transaction.atomic():
            # Tua responds slowly, and `order` may have been read before many such requests.
            if _has_changed(order):
                raise PaymentError(str(texts.CHANGED))
            change()

    def handle_payment_event(
        self,
        order: Any,
        event_type: Any,
        amount: Decimal,
        lines: Any = None,
        line_quantities: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Refunds, where the event is of the type Refund and mobile money has paid the order. The
        event of the order is created when the money was returned, without lines: Oscar would take a
        line that was refunded in part as refunded. Raises PaymentError and RefundPending."""
        is_refund = event_type.code == options().refund_event_code
        if is_refund and order.tua_payments.filter(state=Payment.State.PAID).exists():
            refund = refund_order(order, amount)
            if refund.state == Refund.State.PENDING:
                raise RefundPending(explain_pending(refund))
            return order.payment_events.filter(reference=refund.refund_id).first()
        return super().handle_payment_event(  # type: ignore[misc]
            order, event_type, amount, lines, line_quantities, **kwargs
        )


def _has_changed(order: Any) -> bool:
    """Whether an order is no longer as it was read, or can be paid again. Locks it."""
    locked = lock_order(order.pk)
    can_be_paid = locked.tua_payments.filter(state__in=OPEN_STATES).exists()
    return locked.status != order.status or can_be_paid
