"""What a verified webhook changes."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from oscar.core.loading import get_model
from tua_pay import CheckoutEvent, Event, RefundEvent, TransactionEvent

from .attention import flag
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
        _flag_conflict(event.data.transaction_id)


_CONFLICT = _(
    "%(charge)s: the operator contradicts the outcome of this charge. Look at it in Tua's "
    "dashboard."
)


def _flag_conflict(charge_id: str) -> None:
    """People decide about a charge whose operator contradicts its outcome. One note is enough."""
    payment = Payment.objects.select_related("order").filter(charge_id=charge_id).first()
    if payment is None:
        return
    notes = get_model("order", "OrderNote").objects
    if not notes.filter(order=payment.order, message__contains=f"{charge_id}:").exists():
        flag(payment.order, _CONFLICT, charge=charge_id)
