"""Opens and reads checkouts at Tua. No request is sent inside a transaction of the shop."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from pretix.base.models import Order, OrderPayment
from tua_pay import CheckoutStatus, OpenedCheckout, Tua, TuaApiError, TuaError

from . import texts
from .attention import LOG
from .closing import PaymentRefusal, close_attempts
from .conf import client, mode_of
from .locks import lock_order
from .models import OPEN_STATES, Attempt
from .recording import record
from .status import status_of

_ROUNDS = 4
"""How many times a page looks for a checkout that can be paid. Each round ends an older one."""

ARRIVED = (OrderPayment.PAYMENT_STATE_CONFIRMED, OrderPayment.PAYMENT_STATE_REFUNDED)
"""The states of a payment of pretix whose money has arrived."""


def begin_attempt(payment: Any, return_url: str) -> Attempt:
    """The attempt to make a payment that is not over, or the next one. Raises PaymentRefusal where
    the order is paid or is not waiting, or where another payment of it has begun."""
    with transaction.atomic():
        order = lock_order(payment.order_id)
        payment.refresh_from_db()
        _check_waiting(order, payment)
        if _find_others(payment).exists():
            # It has begun since the others were closed.
            raise PaymentRefusal(texts.UNKNOWN)
        last = payment.tua_attempts.last()
        if last is not None and last.state in OPEN_STATES:
            return last
        return payment.tua_attempts.create(
            number=last.number + 1 if last else 1,
            amount=payment.amount,
            email=order.email,
            return_url=return_url,
            mode=mode_of(order),
        )


def _check_waiting(order: Any, payment: Any) -> None:
    """Raises PaymentRefusal where a payment must not begin."""
    if order.status == Order.STATUS_PAID or payment.state in ARRIVED:
        raise PaymentRefusal(texts.ALREADY_PAID)
    if order.status == Order.STATUS_CANCELED:
        raise PaymentRefusal(texts.CANCELLED)
    if not _is_waiting(order, payment):
        raise PaymentRefusal(texts.NOT_WAITING)
    possible = order._can_be_paid()
    if possible is not True:
        raise PaymentRefusal(possible)


def _is_waiting(order: Any, payment: Any) -> bool:
    """Whether a payment may arrive: also of an expired order, which pretix can revive."""
    states = (OrderPayment.PAYMENT_STATE_CREATED, OrderPayment.PAYMENT_STATE_PENDING)
    statuses = (Order.STATUS_PENDING, Order.STATUS_EXPIRED)
    return payment.state in states and order.status in statuses


def open_checkout(payment: Any, return_url: str) -> str:
    """The address of the hosted page for a payment. Two tabs get the same checkout, so an order is
    not paid twice. Raises PaymentRefusal."""
    _close_other_payments(payment)
    for _ in range(_ROUNDS):
        attempt = begin_attempt(payment, return_url)
        try:
            with client(payment.order.event, mode_of(payment.order)) as tua:
                url = _open(tua, attempt)
        except TuaError as error:
            LOG.error("Order %s: %s", payment.order.code, error)
            raise PaymentRefusal(_after_failure(attempt, error)) from error
        if url is not None:
            return url
    raise PaymentRefusal(texts.UNKNOWN)


def _close_other_payments(payment: Any) -> None:
    """pretix begins another payment of the order also where the last one could not be cancelled."""
    close_attempts(_find_others(payment).select_related("payment__order__event"))


def _find_others(payment: Any) -> Any:
    """The attempts of other payments of the order that are not over."""
    attempts = Attempt.objects.filter(payment__order=payment.order_id, state__in=OPEN_STATES)
    return attempts.exclude(payment=payment)


def _after_failure(attempt: Attempt, error: TuaError) -> Any:
    """What the payer is told after a request failed."""
    # Another tab may have begun the same attempt meanwhile.
    attempt.refresh_from_db()
    if attempt.state != Attempt.State.NEW:
        return texts.UNKNOWN
    # Nobody has the address of a new checkout, so it cannot have been paid.
    if isinstance(error, TuaApiError) and not error.outcome_unknown:
        # The same request would be refused again, such as one with a wrong return address.
        Attempt.objects.filter(pk=attempt.pk, state="NEW").update(state="OVER")
    return texts.NOTHING_BEGAN


def _open(tua: Tua, attempt: Attempt) -> str | None:
    """The address of the attempt's checkout, or None where the attempt is over now."""
    if attempt.state == Attempt.State.OPEN and not _is_open(tua, attempt):
        return None
    opened = _request(tua, attempt)
    if not _store(attempt, opened):
        if attempt.state == Attempt.State.PAID:
            raise PaymentRefusal(texts.ALREADY_PAID)
        # The order or the payment was cancelled meanwhile.
        tua.checkouts.close(opened.checkout_id)
        raise PaymentRefusal(texts.NOT_WAITING)
    return opened.url if _is_open(tua, attempt) else None


def _is_open(tua: Tua, attempt: Attempt) -> bool:
    """Whether a checkout can be paid; false where it is over. Raises PaymentRefusal where a payment
    is under way or has arrived."""
    status = refresh(tua, attempt)
    if status is CheckoutStatus.PENDING:
        raise PaymentRefusal(texts.NOT_CONFIRMED)
    if status is CheckoutStatus.PAID:
        raise PaymentRefusal(texts.ALREADY_PAID)
    return status is CheckoutStatus.OPEN


def _request(tua: Tua, attempt: Attempt) -> OpenedCheckout:
    """Sends the request of an attempt. Tua responds with the same checkout each time."""
    payment = attempt.payment
    event = payment.order.event
    return tua.checkouts.create(
        amount=attempt.amount,
        email=attempt.email,
        # Such as SUMMIT-A1B2C-P-1: pretix's codes are unique in an organiser's event only.
        reference=f"{event.slug.upper()}-{payment.full_id}"[-64:],
        return_url=attempt.return_url,
        metadata={"pretixEvent": f"{event.organizer.slug}/{event.slug}"},
        idempotency_key=attempt.idempotency_key,
    )


def _store(attempt: Attempt, opened: OpenedCheckout) -> bool:
    """Stores the checkout before the payer gets its address. Returns whether the order still waits
    for this attempt."""
    with transaction.atomic():
        order = lock_order(attempt.payment.order_id)
        found = Attempt.objects.filter(pk=attempt.pk)
        # First, because it locks the attempt: whoever ends the attempt waits, or is seen below.
        found.update(checkout_id=opened.checkout_id)
        payment = OrderPayment.objects.get(pk=attempt.payment_id)
        is_wanted = _is_waiting(order, payment) and found.get().state in OPEN_STATES
        found.filter(state__in=OPEN_STATES).update(state="OPEN" if is_wanted else "OVER")
    attempt.refresh_from_db()
    return is_wanted


def refresh(tua: Tua, attempt: Attempt) -> CheckoutStatus:
    """Asks about the checkout of an attempt and records its status. Raises TuaError where the
    service does not respond."""
    if attempt.checkout_id is None:
        raise PaymentRefusal(texts.UNKNOWN)
    checkout = tua.checkouts.get(attempt.checkout_id)
    record(attempt, checkout)
    attempt.refresh_from_db()
    return status_of(checkout)


def ask(attempt: Attempt, total_timeout: float = 15.0) -> CheckoutStatus | None:
    """The status of an attempt's checkout now, which is recorded. None where it is not known."""
    order = attempt.payment.order
    try:
        with client(order.event, mode_of(order), total_timeout) as tua:
            return refresh(tua, attempt)
    except (TuaError, PaymentRefusal) as error:
        LOG.warning("Order %s: %s", order.code, error)
        return None
