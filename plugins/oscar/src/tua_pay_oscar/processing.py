"""For Oscar's event handler: the dashboard refunds with it, and changes the status of orders."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from oscar.apps.payment.exceptions import PaymentError

from . import texts
from .checkouts import PaymentRefusal, close_payments
from .conf import options
from .models import Payment, Refund
from .refunds import refund_order


class RefundPending(Exception):
    """The refund was begun, and its outcome is not known yet. It is no PaymentError, of which the
    dashboard would say that nothing was done."""


class TuaEventHandlerMixin:
    """Put it before Oscar's `EventHandler`, or before the shop's."""

    def handle_order_status_change(
        self, order: Any, new_status: str, note_msg: str | None = None
    ) -> None:
        """Closes the checkout of an order that no longer waits. Raises PaymentError where a payment
        is under way or has arrived: such an order goes on waiting."""
        if order.status == options().waiting_status and new_status != order.status:
            try:
                close_payments(order)
            except PaymentRefusal as refusal:
                raise PaymentError(str(refusal)) from refusal
        super().handle_order_status_change(order, new_status, note_msg)  # type: ignore[misc]

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
                raise RefundPending(texts.REFUND_PENDING % {"amount": refund.amount})
            return order.payment_events.filter(reference=refund.refund_id).first()
        return super().handle_payment_event(  # type: ignore[misc]
            order, event_type, amount, lines, line_quantities, **kwargs
        )
