"""What a verified webhook changes."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from tua_pay import CheckoutEvent, Event, RefundEvent, Status, Transaction, TransactionEvent

from .attention import LOG, flag_once
from .models import Payment
from .recording import record
from .refunds import record_event


def process(event: Event) -> None:
    """Processes an event. It may come twice, and later than another one."""
    if isinstance(event, CheckoutEvent):
        record(event.data)
    elif isinstance(event, RefundEvent):
        record_event(event.data)
    elif isinstance(event, TransactionEvent) and event.type == "charge.conflict":
        _flag_conflict(event.data)
    elif isinstance(event, TransactionEvent) and event.type == "charge.successful":
        _flag_second(event.data)


_CONFLICT = _(
    "%(charge)s: the operator contradicts the outcome of this charge. Look at it in Tua's "
    "dashboard."
)
_SECOND = _(
    "%(charge)s: the operator reports this charge as paid, and another charge has paid the order. "
    "Look at both in Tua's dashboard, and refund one of them there."
)


def _flag_conflict(charge: Transaction) -> None:
    """People decide about a charge whose operator contradicts its outcome."""
    payment = _find_payment(charge)
    if payment is None:
        LOG.warning("%s has a conflict, and is of no order here.", charge.transaction_id)
        return
    is_paid = charge.conflict is not None and charge.conflict.observed is Status.SUCCESSFUL
    is_second = is_paid and _is_paid_with_another(payment, charge)
    flag_once(payment.order, _SECOND if is_second else _CONFLICT, charge=charge.transaction_id)


def _flag_second(charge: Transaction) -> None:
    """A checkout is reported as paid once, also where a second charge of it brings money: that is
    possible after a conflict."""
    payment = _find_payment(charge)
    if payment is not None and _is_paid_with_another(payment, charge):
        flag_once(payment.order, _SECOND, charge=charge.transaction_id)


def _is_paid_with_another(payment: Payment, charge: Transaction) -> bool:
    return payment.state == Payment.State.PAID and payment.charge_id != charge.transaction_id


def _find_payment(charge: Transaction) -> Payment | None:
    """The payment of a charge. It names its own charge only after it was paid."""
    payments = Payment.objects.select_related("order")
    by_checkout = payments.filter(checkout_id=charge.checkout_id or "")
    return by_checkout.first() or payments.filter(charge_id=charge.transaction_id).first()
