"""What a verified webhook changes."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.timezone import now
from tua_pay import CheckoutEvent, CheckoutStatus, Event, RefundEvent, Status, TransactionEvent
from tua_pay import Refund as Outcome
from tua_pay import Transaction as Charge

from .attention import LOG, flag_once
from .checkouts import ask
from .conf import Mode
from .locks import lock_order
from .models import Attempt, Refund
from .recording import record, record_over
from .refunds import REPEAT_AGE, record_refund


class RefundNotKnownError(Exception):
    """A refund may be one of pretix, whose response is not here yet. The periodic task repeats its
    request, and Tua delivers the event again."""


def process(shop_event: Any, mode: Mode, event: Event) -> None:
    """Processes an event of Tua for an event of pretix. It may come twice, and later than another
    one. `mode` is the one whose secret has signed it."""
    attempts = Attempt.objects.filter(payment__order__event=shop_event, mode=mode)
    if isinstance(event, CheckoutEvent):
        _process_checkout(attempts, event)
    elif isinstance(event, RefundEvent):
        _process_refund(attempts, event.data)
    elif isinstance(event, TransactionEvent) and event.type.startswith("charge."):
        _process_charge(attempts, event)


def _process_checkout(attempts: Any, event: CheckoutEvent) -> None:
    attempt = attempts.filter(checkout_id=event.data.checkout_id).first()
    if attempt is None:
        # Another system of the account, or a shop whose database was restored from a backup.
        LOG.warning("Checkout %s is of no order of this event.", event.data.checkout_id)
    elif event.data.status is CheckoutStatus.PAID:
        record(attempt, event.data)
    elif event.type in ("checkout.expired", "checkout.closed"):
        record_over(attempt)
    elif event.type == "checkout.attempt_failed":
        # Another charge may have begun since.
        ask(attempt)


def _process_charge(attempts: Any, event: TransactionEvent) -> None:
    attempt = _find_attempt(attempts, event.data)
    if attempt is None:
        return
    if event.type == "charge.pending" and attempt.state == Attempt.State.OPEN:
        ask(attempt)
    elif event.type == "charge.conflict":
        _flag_conflict(attempt, event.data)
    elif event.type == "charge.successful" and _is_paid_with_another(attempt, event.data):
        # A checkout is reported as paid once, also where a second charge of it brings money: that
        # is possible after a conflict.
        flag_once(attempt.payment.order, "second_charge", charge=event.data.transaction_id)


def _flag_conflict(attempt: Attempt, charge: Charge) -> None:
    """People decide about a charge whose operator contradicts its outcome."""
    is_paid = charge.conflict is not None and charge.conflict.observed is Status.SUCCESSFUL
    is_second = is_paid and _is_paid_with_another(attempt, charge)
    key = "second_charge" if is_second else "conflict"
    flag_once(attempt.payment.order, key, charge=charge.transaction_id)


def _is_paid_with_another(attempt: Attempt, charge: Charge) -> bool:
    return attempt.state == Attempt.State.PAID and attempt.charge_id != charge.transaction_id


def _find_attempt(attempts: Any, charge: Charge) -> Attempt | None:
    """The attempt of a charge. It names its own charge only after it was paid."""
    by_checkout = attempts.filter(checkout_id=charge.checkout_id or "").first()
    return by_checkout or attempts.filter(charge_id=charge.transaction_id).first()


def _process_refund(attempts: Any, outcome: Outcome) -> None:
    refund = Refund.objects.filter(attempt__in=attempts, refund_id=outcome.refund_id).first()
    if refund is not None:
        record_refund(refund, outcome)
        return
    attempt = attempts.filter(charge_id=outcome.transaction_id, state="PAID").first()
    if attempt is not None and outcome.status is Status.SUCCESSFUL:
        _record_external(attempt, outcome)


def _record_external(attempt: Attempt, outcome: Outcome) -> None:
    """Records a refund that people made in Tua's dashboard, which people then process in pretix."""
    with transaction.atomic():
        lock_order(attempt.payment.order_id)
        waiting = attempt.refunds.filter(state="PENDING", refund_id=None)
        if waiting.filter(created_at__gt=now() - REPEAT_AGE).exists():
            raise RefundNotKnownError(f"{outcome.refund_id} may be one without a response yet.")
        if Refund.objects.filter(refund_id=outcome.refund_id).exists():
            return
        info = f'{{"refund": "{outcome.refund_id}"}}'
        made = attempt.payment.create_external_refund(amount=outcome.amount, info=info)
        attempt.refunds.create(
            order_refund=made,
            amount=outcome.amount,
            refund_id=outcome.refund_id,
            state=Refund.State.SUCCESSFUL,
        )
