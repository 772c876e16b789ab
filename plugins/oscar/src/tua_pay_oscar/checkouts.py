"""Opens, reads and closes checkouts at Tua. No request is sent inside a transaction of the shop."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import transaction
from tua_pay import Checkout, CheckoutStatus, OpenedCheckout, Tua, TuaApiError, TuaError

from . import texts
from .attention import LOG
from .conf import client, options
from .locks import lock_order, lock_waiting_order
from .models import Payment
from .recording import covered_sum, record
from .status import status_of

_ROUNDS = 4
"""How many times a page looks for a checkout that can be paid. Each round ends an older one."""

_REFERENCE_LENGTH = 64
"""The longest reference that Tua takes."""


class PaymentRefusal(Exception):
    """Why nothing can be paid now: a sentence for the payer, without a secret."""


def begin_attempt(order: Any, return_url: str) -> Payment:
    """The attempt to pay an order that is not over, or the next one. Raises PaymentRefusal where
    the order is paid or is not waiting."""
    with transaction.atomic():
        now = lock_order(order.pk)
        due = now.total_incl_tax - covered_sum(now)
        if due <= 0:
            raise PaymentRefusal(texts.ALREADY_PAID)
        if now.status != options().waiting_status:
            raise PaymentRefusal(not_waiting(now))
        last = now.tua_payments.last()
        if last is not None and last.state in ("NEW", "OPEN"):
            return last
        return now.tua_payments.create(
            attempt=last.attempt + 1 if last else 1,
            amount=due,
            email=now.email,
            return_url=return_url,
            mode=options().mode,
        )


def open_checkout(order: Any, return_url: str) -> str:
    """The address of the hosted page for an order. Two tabs get the same checkout, so an order is
    not paid twice. Raises PaymentRefusal."""
    for _ in range(_ROUNDS):
        payment = begin_attempt(order, return_url)
        try:
            with client() as tua:
                url = _open(tua, payment)
        except TuaError as error:
            LOG.error("Order %s: %s", order.number, error)
            raise PaymentRefusal(_after_failure(payment, error)) from error
        if url is not None:
            return url
    raise PaymentRefusal(texts.UNKNOWN)


def _after_failure(payment: Payment, error: TuaError) -> Any:
    """What the payer is told after a request failed."""
    # Another tab may have begun the same attempt meanwhile.
    payment.refresh_from_db()
    if payment.state != Payment.State.NEW:
        return texts.UNKNOWN
    # Nobody has the address of a new checkout, so it cannot have been paid.
    if isinstance(error, TuaApiError) and not error.outcome_unknown:
        # The same request would be refused again, such as one with a wrong return address.
        Payment.objects.filter(pk=payment.pk, state="NEW").update(state="OVER")
    return texts.NOTHING_BEGAN


def _open(tua: Tua, payment: Payment) -> str | None:
    """The address of the attempt's checkout, or None where the attempt is over now."""
    if payment.state == Payment.State.OPEN or payment.mode != options().mode:
        if not _is_open(tua, payment):
            return None
    opened = _request(tua, payment)
    if not _store(payment, opened):
        _close_unwanted(tua, payment, opened)
    return opened.url if _is_open(tua, payment) else None


def _is_open(tua: Tua, payment: Payment) -> bool:
    """Whether a checkout can be paid; false where it is over. Raises PaymentRefusal where a payment
    is under way or has arrived."""
    status = refresh(tua, payment)
    if status is CheckoutStatus.PENDING:
        raise PaymentRefusal(texts.NOT_CONFIRMED)
    if status is CheckoutStatus.PAID:
        raise PaymentRefusal(texts.ALREADY_PAID)
    return status is CheckoutStatus.OPEN


def _close_unwanted(tua: Tua, payment: Payment, opened: OpenedCheckout) -> NoReturn:
    """Closes a checkout whose order stopped waiting meanwhile: it was paid or cancelled."""
    if payment.state == Payment.State.PAID:
        raise PaymentRefusal(texts.ALREADY_PAID)
    record(tua.checkouts.close(opened.checkout_id))
    payment.order.refresh_from_db()
    raise PaymentRefusal(not_waiting(payment.order))


def not_waiting(order: Any) -> Any:
    """Why an order that does not wait cannot be paid."""
    is_cancelled = order.status == options().cancelled_status
    return texts.CANCELLED if is_cancelled else texts.NOT_WAITING


def _request(tua: Tua, payment: Payment) -> OpenedCheckout:
    """Sends the request of an attempt. Tua responds with the same checkout each time."""
    number = payment.order.number
    return tua.checkouts.create(
        amount=payment.amount,
        email=payment.email,
        reference=number[:_REFERENCE_LENGTH],
        return_url=payment.return_url,
        metadata={"oscarOrder": number},
        idempotency_key=payment.idempotency_key,
    )


def _store(payment: Payment, opened: OpenedCheckout) -> bool:
    """Stores the checkout before the payer gets its address. Returns whether the order still
    waits."""
    with transaction.atomic():
        is_waiting = lock_waiting_order(payment.order_id)
        found = Payment.objects.filter(pk=payment.pk, state__in=("NEW", "OPEN"))
        found.update(state="OPEN" if is_waiting else "OVER", checkout_id=opened.checkout_id)
    payment.refresh_from_db()
    return is_waiting


def refresh(tua: Tua, payment: Payment) -> CheckoutStatus:
    """Asks about the checkout of a payment and records its status. Raises TuaError where the
    service does not respond.

    A live key does not find a test checkout: the shop went live after the payment had begun. Such a
    checkout moves no money, so it is over. The opposite is not decided here: a live checkout that a
    test key does not find may still be paid.
    """
    mode = options().mode
    has_address = payment.checkout_id is not None
    if payment.mode != mode and (payment.mode == "test" or not has_address):
        Payment.objects.filter(pk=payment.pk, state__in=("NEW", "OPEN")).update(state="OVER")
        payment.refresh_from_db()
        return CheckoutStatus.CLOSED
    if payment.mode != mode or payment.checkout_id is None:
        raise PaymentRefusal(texts.UNKNOWN)
    checkout: Checkout = tua.checkouts.get(payment.checkout_id)
    record(checkout)
    payment.refresh_from_db()
    return status_of(checkout)


def ask(payment: Payment, total_timeout: float = 15.0) -> CheckoutStatus | None:
    """The status of a payment's checkout now, which is recorded. None where it is not known."""
    try:
        with client(total_timeout) as tua:
            return refresh(tua, payment)
    except (TuaError, PaymentRefusal) as error:
        LOG.warning("Order %s: %s", payment.order.number, error)
        return None


def close_payments(order: Any) -> None:
    """Closes what can still be paid of an order. Raises PaymentRefusal where a payment is under way
    or has arrived, or where this is not known."""
    for payment in order.tua_payments.filter(state__in=("NEW", "OPEN")):
        if payment.checkout_id is None:
            # Nobody has its address.
            Payment.objects.filter(pk=payment.pk, checkout_id=None).update(state="OVER")
            continue
        try:
            with client() as tua:
                _close(tua, payment)
        except TuaError as error:
            LOG.warning("Order %s: %s", order.number, error)
            raise PaymentRefusal(texts.UNKNOWN) from error


def _close(tua: Tua, payment: Payment) -> None:
    status = refresh(tua, payment)
    if status is CheckoutStatus.OPEN and payment.checkout_id is not None:
        try:
            record(tua.checkouts.close(payment.checkout_id))
            return
        except TuaApiError as error:
            if error.code not in ("charge_in_progress", "checkout_already_paid"):
                raise
        status = refresh(tua, payment)
    if status is CheckoutStatus.PAID:
        raise PaymentRefusal(texts.ALREADY_PAID)
    if status in (CheckoutStatus.OPEN, CheckoutStatus.PENDING):
        raise PaymentRefusal(texts.NOT_CONFIRMED)
