"""Brings payments and orders to what Tua reports. Everything here may be called any number of
times, by a webhook and a question at once: an outcome is recorded once."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django_scopes import scopes_disabled
from pretix.base.models import Order, OrderPayment, Quota
from tua_pay import Checkout, CheckoutStatus, Transaction

from .attention import LOG, flag, flag_once
from .closing import PaymentRefusal, close_attempts
from .conf import PROVIDER
from .holding import hold_order
from .locks import lock_order
from .models import OPEN_STATES, Attempt
from .status import status_of

_CREATED = OrderPayment.PAYMENT_STATE_CREATED
_PENDING = OrderPayment.PAYMENT_STATE_PENDING


def record(attempt: Attempt, checkout: Checkout) -> None:
    """Records the status of the attempt's checkout, as it was read now."""
    charge = checkout.paid_transaction
    if checkout.status is CheckoutStatus.PAID and charge is not None:
        record_paid(attempt, checkout, charge)
        return
    if checkout.status is CheckoutStatus.PAID:
        _flag_no_money(attempt)
    status = status_of(checkout)
    if status is CheckoutStatus.PENDING:
        _change_payment(attempt, _CREATED, _PENDING)
        hold_order(attempt.payment.order)
    elif status is CheckoutStatus.OPEN:
        _change_payment(attempt, _PENDING, _CREATED)
    else:
        record_over(attempt)


def _flag_no_money(attempt: Attempt) -> None:
    """Tells people about an order that was marked as paid before a review found that no money of
    the attempt's checkout arrived."""
    if attempt.state == Attempt.State.PAID:
        flag_once(attempt.payment.order, "no_money", checkout=attempt.checkout_id)


def record_over(attempt: Attempt) -> None:
    """Records that a checkout is over without a payment. The payer can begin the same payment of
    pretix again, so that is not over."""
    found = Attempt.objects.filter(pk=attempt.pk, state__in=OPEN_STATES)
    if found.update(state=Attempt.State.OVER):
        _change_payment(attempt, _PENDING, _CREATED)


def record_unknown(attempt: Attempt) -> None:
    """Records that Tua does not respond, so the payer may have paid: pretix offers no other payment
    of a pending one. The next answer sets it back."""
    with transaction.atomic():
        # It locks the attempt, so an answer that comes at the same moment is recorded after this.
        if Attempt.objects.filter(pk=attempt.pk, state="OPEN").update(state="OPEN"):
            _change_payment(attempt, _CREATED, _PENDING)


def _change_payment(attempt: Attempt, old: str, new: str) -> None:
    """Changes the state of pretix's payment, which says whether another one may begin."""
    OrderPayment.objects.filter(pk=attempt.payment_id, state=old).update(state=new)


def record_paid(attempt: Attempt, checkout: Checkout, charge: Transaction) -> None:
    """Records the money that a charge of a checkout brought. pretix marks the order as paid if the
    money covers it."""
    if attempt.state == Attempt.State.PAID:
        return
    if checkout.mode != attempt.mode:
        LOG.error("Checkout %s is of the other mode, and is ignored.", checkout.checkout_id)
        return
    with transaction.atomic():
        order = lock_order(attempt.payment.order_id)
        found = Attempt.objects.filter(pk=attempt.pk).exclude(state="PAID")
        charge_id = charge.transaction_id
        if not found.update(state="PAID", amount=checkout.amount, charge_id=charge_id):
            return
        attempt.refresh_from_db()
        _confirm(order, attempt, charge)
        transaction.on_commit(partial(_close_others, order.pk), robust=True)


def _confirm(order: Any, attempt: Attempt, charge: Transaction) -> None:
    """Confirms the payment of pretix, and tells people what it does not resolve by itself."""
    told = {"amount": attempt.amount, "charge": attempt.charge_id}
    payment = OrderPayment.objects.get(pk=attempt.payment_id)
    if payment.state in (
        OrderPayment.PAYMENT_STATE_CONFIRMED,
        OrderPayment.PAYMENT_STATE_REFUNDED,
    ):
        if not payment.tua_attempts.filter(state="PAID").exclude(pk=attempt.pk).exists():
            flag(order, "arrived_by_hand", **told)
            return
        # A second checkout of the same payment has brought money: it can be refunded by itself.
        payment = _create_payment(order, attempt)
    payment.order = order
    payment.amount = attempt.amount
    payment.info_data = _describe(attempt, charge)
    payment.save(update_fields=["amount", "info"])
    # The tickets of an order that waits are still reserved, and a payer who began before an order
    # expired is not late. pretix looks whether the tickets of an expired order are still free.
    is_in_time = order.status == Order.STATUS_PENDING or attempt.created_at < order.expires
    try:
        payment.confirm(ignore_date=is_in_time)
    except Quota.QuotaExceededException as error:
        # The payment stays confirmed, because the money has arrived.
        flag(order, "arrived_sold_out", reason=error, **told)
        return
    order.refresh_from_db()
    problem = _find_problem(order)
    if problem is not None:
        flag(order, problem, **told)


def _find_problem(order: Any) -> str | None:
    """Why people must look at money that arrived; None where the order is paid with it."""
    if order.status == Order.STATUS_CANCELED:
        return "arrived_cancelled"
    if order.pending_sum < 0:
        return "arrived_twice"
    return None if order.status == Order.STATUS_PAID else "arrived_in_part"


def _create_payment(order: Any, attempt: Attempt) -> Any:
    """Another payment of pretix for an attempt whose own payment is complete."""
    payment = order.payments.create(state=_CREATED, provider=PROVIDER, amount=attempt.amount)
    Attempt.objects.filter(pk=attempt.pk).update(payment=payment)
    attempt.payment = payment
    return payment


def _describe(attempt: Attempt, charge: Transaction) -> dict[str, str]:
    """What pretix shows, exports and keeps with the payment. It is no personal data."""
    return {
        "checkout": attempt.checkout_id or "",
        "charge": attempt.charge_id,
        "network": charge.network,
        "mode": attempt.mode,
    }


def _close_others(order_pk: int) -> None:
    """Closes what could still be paid of an order that is paid."""
    with scopes_disabled():
        order = Order.objects.get(pk=order_pk)
        if order.status != Order.STATUS_PAID:
            return
        attempts = Attempt.objects.filter(payment__order=order, state__in=OPEN_STATES)
        try:
            close_attempts(attempts)
        except PaymentRefusal:
            flag(order, "still_open")
