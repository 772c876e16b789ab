"""Refunds. One is stored before its first request, which is repeated with the same key, so the
money returns once. An outcome that is not known is PENDING: a webhook or `tua_reconcile` ends
it."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from oscar.apps.payment.exceptions import PaymentError
from tua_pay import Refund as Outcome
from tua_pay import Status, Tua, TuaError, TuaRequestError, TuaUsageError

from . import oscar_types, texts
from .attention import LOG, flag, flag_once, note
from .conf import client, options
from .locks import lock_payment
from .models import Payment, Refund

_OUTCOME_TIMEOUT = 3.0
"""How long a member of staff waits for the outcome, in seconds."""


def read_amount(text: str) -> Decimal:
    """The amount of a form, in cedis. Raises PaymentError."""
    try:
        amount = Decimal(text.strip())
    except InvalidOperation:
        raise PaymentError(texts.REFUND_AMOUNT) from None
    return check_amount(amount)


def check_amount(amount: Decimal) -> Decimal:
    """An amount in whole pesewas above 0. Raises PaymentError for another one."""
    if not amount.is_finite() or amount <= 0 or amount != round(amount, 2):
        raise PaymentError(texts.REFUND_AMOUNT)
    return round(amount, 2)


def refund_order(order: Any, amount: Decimal) -> Refund:
    """Refunds a part of one of the order's payments, the last one first. Raises PaymentError where
    none has so much left."""
    check_amount(amount)
    payments = order.tua_payments.filter(state=Payment.State.PAID)
    for payment in reversed(payments):
        if payment.refundable >= amount:
            return refund_payment(payment, amount)
    largest = max((payment.refundable for payment in payments), default=Decimal("0.00"))
    raise PaymentError(texts.REFUND_TOO_LARGE % {"amount": largest})


def refund_payment(payment: Payment, amount: Decimal) -> Refund:
    """Begins a refund and waits a moment for its outcome. Two at the same moment are two refunds.
    Raises PaymentError where less is left or where no money moved."""
    # The row must be stored before the request is sent: `durable` refuses an outer transaction.
    with transaction.atomic(durable=True):
        locked = lock_payment(payment.pk)
        if amount > locked.refundable:
            raise PaymentError(texts.REFUND_TOO_LARGE % {"amount": locked.refundable})
        refund = locked.refunds.create(amount=amount)
    try:
        send(refund)
    except TuaUsageError as error:
        # A setting is wrong, and nothing was sent.
        LOG.error("Refund %s: %s", refund.pk, error)
        _record_failed(refund, str(error))
    refund.refresh_from_db()
    if refund.state == Refund.State.FAILED:
        reason = {"amount": amount, "reason": refund.message}
        raise PaymentError(texts.REFUND_FAILED % reason)
    return refund


def explain_pending(refund: Refund) -> str:
    """What a person of the shop is told about a refund whose outcome is not known."""
    if refund.refund_id is None:
        return texts.REFUND_UNKNOWN % {"amount": refund.amount, "reason": refund.reason.rstrip(".")}
    return texts.REFUND_PENDING % {"amount": refund.amount}


def send(refund: Refund) -> None:
    """Sends the request of a refund, again if need be, and records what is known. Raises
    TuaUsageError, without sending it, where a setting is wrong."""
    try:
        with client() as tua:
            outcome = _request(tua, refund)
    except TuaUsageError as error:
        _record_unknown(refund, error)
        raise
    except TuaRequestError as error:
        LOG.warning("Refund %s: %s", refund.pk, error)
        if error.outcome_unknown:
            _record_unknown(refund, error)
        else:
            _record_failed(refund, str(error))
    else:
        record_refund(refund, outcome)


def _record_unknown(refund: Refund, error: TuaError) -> None:
    """Records why it is not known whether a refund has begun. People read it beside the refund, and
    may have to correct a setting, such as the key."""
    Refund.objects.filter(pk=refund.pk, state="PENDING").update(message=str(error))


def _request(tua: Tua, refund: Refund) -> Outcome:
    begun = tua.refunds.create(
        transaction_id=refund.payment.charge_id,
        amount=refund.amount,
        reason="Refund in Oscar",
        idempotency_key=refund.idempotency_key,
    )
    Refund.objects.filter(pk=refund.pk).update(refund_id=begun.refund_id, message="")
    if begun.status is not Status.PENDING:
        return begun
    try:
        return tua.refunds.wait(begun.refund_id, timeout=_OUTCOME_TIMEOUT)
    except TuaError:
        # No response is no outcome: the refund was begun all the same.
        return begun


def ask_refund(refund: Refund) -> None:
    """Asks about a pending refund. Raises TuaError where a setting is wrong, or where the service
    does not respond: the refund stays pending."""
    mode = options().mode
    if refund.payment.mode != mode:
        # The key does not find it. A test refund moves no money; a live one waits for a live key.
        if mode == "live":
            _record_failed(refund, _("It was a test refund, and the shop is live now."))
        return
    if refund.refund_id is None:
        send(refund)
        return
    with client() as tua:
        record_refund(refund, tua.refunds.get(refund.refund_id))


def record_event(outcome: Outcome) -> None:
    """Records the refund of a webhook. One whose response was lost is found by `tua_reconcile`."""
    refund = Refund.objects.filter(refund_id=outcome.refund_id).first()
    if refund is not None:
        record_refund(refund, outcome)


def record_refund(refund: Refund, outcome: Outcome) -> None:
    """Records the outcome of a refund once, and tells people if its operator contradicts it."""
    status = _status_of(outcome)
    if status is Status.SUCCESSFUL:
        _record_successful(refund, outcome.refund_id)
    elif status is Status.FAILED:
        _record_failed(refund, outcome.failure.message if outcome.failure else "")
    if outcome.conflict is not None and outcome.conflict.decision is None:
        told = {"refund": outcome.refund_id, "amount": refund.amount}
        flag_once(refund.payment.order, texts.REFUND_CONFLICT, **told)


def _status_of(outcome: Outcome) -> Status:
    """The status after a conflict, which never changes the refund's own. Until people decide, the
    money counts as returned, so that it is not returned twice."""
    if outcome.conflict is None:
        return outcome.status
    decision = outcome.conflict.decision
    return Status.SUCCESSFUL if decision is None else decision


def _record_successful(refund: Refund, refund_id: str) -> None:
    with transaction.atomic():
        payment = lock_payment(refund.payment_id)
        found = Refund.objects.filter(pk=refund.pk).exclude(state="SUCCESSFUL")
        if not found.update(state="SUCCESSFUL", refund_id=refund_id, message=""):
            return
        order = payment.order
        if payment.source is not None:
            payment.source.refund(refund.amount, reference=refund_id, status="SUCCESSFUL")
        order.payment_events.create(
            event_type=oscar_types.refund_event_type(), amount=refund.amount, reference=refund_id
        )
        note(order, texts.REFUND_MADE, amount=refund.amount)


def _record_failed(refund: Refund, reason: str) -> None:
    order = refund.payment.order
    with transaction.atomic():
        lock_payment(refund.payment_id)
        found = Refund.objects.filter(pk=refund.pk, state="PENDING")
        if found.update(state="FAILED", message=reason):
            flag(order, texts.REFUND_FAILED, amount=refund.amount, reason=reason)
            return
        is_made = Refund.objects.filter(pk=refund.pk, state="SUCCESSFUL").exists()
    if is_made:
        flag(order, texts.REFUND_UNDONE, amount=refund.amount, reason=reason)
