"""Refunds. pretix creates one in a transaction of its own, so the plug-in stores it there and sends
it after the end of the transaction. The request is repeated with the same key, so the money returns
once. An outcome that is not known is PENDING: a webhook or the periodic task ends it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from django.db import connection, transaction
from django_scopes import scopes_disabled
from pretix.base.models import OrderRefund
from pretix.base.payment import PaymentException
from tua_pay import Refund as Outcome
from tua_pay import Status, Tua, TuaError, TuaRequestError, TuaUsageError

from . import texts
from .attention import LOG, flag, flag_once
from .conf import client, mode_of
from .locks import lock_order
from .models import Attempt, Refund

REPEAT_AGE = timedelta(days=6)
"""How long the request of a refund whose response was lost is repeated. Tua keeps its key for 7
days, and a request with a forgotten key would be another refund."""

_OUTCOME_TIMEOUT = 3.0
"""How long a member of staff waits for the outcome, in seconds."""


def paid_attempt(payment: Any) -> Attempt | None:
    """The attempt whose money a refund of this payment returns."""
    if payment is None:
        return None
    return payment.tua_attempts.filter(state="PAID").exclude(charge_id="").last()


def begin_refund(order_refund: Any) -> None:
    """Stores a refund of pretix, which is sent when its transaction ends. Raises PaymentException
    where the payment has no charge."""
    attempt = paid_attempt(order_refund.payment)
    if attempt is None:
        raise PaymentException(texts.REFUND_NOT_POSSIBLE)
    # pretix does not execute every refund in a transaction: one in transit without a request of its
    # own would count as returned for ever.
    with transaction.atomic():
        order_refund.state = OrderRefund.REFUND_STATE_TRANSIT
        order_refund.save(update_fields=["state"])
        refund = attempt.refunds.create(order_refund=order_refund, amount=order_refund.amount)
    transaction.on_commit(partial(_send_stored, refund.pk), robust=True)
    if not connection.in_atomic_block:
        # It was sent already.
        order_refund.refresh_from_db()


def _send_stored(pk: int) -> None:
    with scopes_disabled():
        refund = Refund.objects.get(pk=pk)
        try:
            send(refund)
        except TuaUsageError as error:
            # A setting is wrong, and nothing was sent.
            LOG.error("Refund %s: %s", refund.pk, error)
            _record_failed(refund, str(error))


def send(refund: Refund) -> None:
    """Sends the request of a refund, again if need be, and records what is known. Raises
    TuaUsageError, without sending it, where a setting is wrong."""
    order = refund.order_refund.order
    try:
        with client(order.event, mode_of(order)) as tua:
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
        transaction_id=refund.attempt.charge_id,
        amount=refund.amount,
        reason=f"Refund {refund.order_refund.full_id} in pretix",
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
    if refund.refund_id is None:
        send(refund)
        return
    order = refund.order_refund.order
    with client(order.event, mode_of(order)) as tua:
        outcome = tua.refunds.get(refund.refund_id)
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
        flag_once(refund.order_refund.order, "refund_conflict", **told)


def _status_of(outcome: Outcome) -> Status:
    """The status after a conflict, which never changes the refund's own. Until people decide, the
    money counts as returned, so that it is not returned twice."""
    if outcome.conflict is None:
        return outcome.status
    decision = outcome.conflict.decision
    return Status.SUCCESSFUL if decision is None else decision


def _record_successful(refund: Refund, refund_id: str) -> None:
    with transaction.atomic():
        order = lock_order(refund.order_refund.order_id)
        found = Refund.objects.filter(pk=refund.pk).exclude(state="SUCCESSFUL")
        if not found.update(state="SUCCESSFUL", refund_id=refund_id, message=""):
            return
        order_refund = OrderRefund.objects.get(pk=refund.order_refund_id)
        if order_refund.state == OrderRefund.REFUND_STATE_CANCELED:
            # pretix asks nobody before it marks a refund as cancelled.
            flag(order, "refund_cancelled", refund=refund_id, amount=refund.amount)
        if order_refund.state != OrderRefund.REFUND_STATE_DONE:
            order_refund.info_data = {"refund": refund_id}
            order_refund.done()


def _record_failed(refund: Refund, reason: str) -> None:
    with transaction.atomic():
        order = lock_order(refund.order_refund.order_id)
        told = {"amount": refund.amount, "reason": reason}
        order_refund = OrderRefund.objects.get(pk=refund.order_refund_id)
        is_done = order_refund.state == OrderRefund.REFUND_STATE_DONE
        found = Refund.objects.filter(pk=refund.pk)
        if found.filter(state="PENDING").update(state="FAILED", message=reason) and not is_done:
            order_refund.state = OrderRefund.REFUND_STATE_FAILED
            order_refund.save(update_fields=["state"])
            log = {"local_id": order_refund.local_id, "provider": order_refund.provider}
            order.log_action("pretix.event.order.refund.failed", log | {"error": reason})
            flag(order, "refund_failed", **told)
        elif is_done:
            flag_once(order, "refund_undone", **told)
