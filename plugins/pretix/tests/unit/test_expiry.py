"""pretix expires orders with its own periodic task, which runs before those of plug-ins."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.utils import timezone
from pretix.base.models import Order
from pretix.base.services.orders import expire_orders

from tua_pay_pretix.holding import hold_order
from tua_pay_pretix.models import Attempt
from tua_pay_pretix.reconcile import reconcile
from tua_pay_pretix.recording import record
from tua_pay_pretix.signals import ask_about_pending

from .conftest import add_payment, checkout_of, create_order, flags_of, lost, refund_of


@pytest.fixture
def overdue(order: Any, attempt: Attempt) -> Any:
    """An order whose time to pay is over."""
    Order.objects.update(expires=timezone.now() - timedelta(minutes=1))
    order.refresh_from_db()
    return order


def expire(order: Any) -> str:
    """The status of an order after pretix's periodic task."""
    expire_orders(sender=None)
    order.refresh_from_db()
    return order.status


def test_the_checkout_of_an_order_that_expires_is_closed(
    overdue: Any, attempt: Attempt, tua: MagicMock
) -> None:
    tua.checkouts.get.return_value = checkout_of(attempt, "OPEN")
    tua.checkouts.close.return_value = checkout_of(attempt, "CLOSED")
    assert expire(overdue) == Order.STATUS_EXPIRED
    tua.checkouts.close.assert_called_once_with(attempt.checkout_id)


@pytest.mark.parametrize("is_known", [True, False])
def test_an_order_whose_payment_is_not_confirmed_does_not_expire(
    overdue: Any, attempt: Attempt, tua: MagicMock, is_known: bool
) -> None:
    if is_known:
        tua.checkouts.get.return_value = checkout_of(attempt, "PENDING")
    else:
        tua.checkouts.get.side_effect = lost()
    assert expire(overdue) == Order.STATUS_PENDING
    assert overdue.expires > timezone.now() + timedelta(hours=2)
    tua.checkouts.close.assert_not_called()
    assert flags_of(overdue) == []


def test_an_order_that_was_paid_before_it_expires_is_paid(
    overdue: Any, attempt: Attempt, tua: MagicMock
) -> None:
    """The webhook was lost."""
    tua.checkouts.get.return_value = checkout_of(attempt, "PAID")
    assert expire(overdue) == Order.STATUS_PAID


def test_an_order_that_nobody_could_be_asked_about_for_a_month_expires(
    overdue: Any, attempt: Attempt, tua: MagicMock
) -> None:
    Attempt.objects.update(created_at=timezone.now() - timedelta(days=31))
    tua.checkouts.get.side_effect = lost()
    assert expire(overdue) == Order.STATUS_EXPIRED


def test_an_order_of_another_method_expires_without_a_question(event: Any, tua: MagicMock) -> None:
    order = create_order(event, expires=timezone.now() - timedelta(minutes=1))
    add_payment(order, "manual")
    assert expire(order) == Order.STATUS_EXPIRED
    tua.checkouts.get.assert_not_called()


def test_an_order_that_cannot_be_kept_is_told(
    overdue: Any, attempt: Attempt, tua: MagicMock
) -> None:
    """People have made the quota smaller."""
    overdue.event.quotas.update(size=0)
    tua.checkouts.get.return_value = checkout_of(attempt, "PENDING")
    assert expire(overdue) == Order.STATUS_EXPIRED
    [text] = flags_of(overdue)
    assert "has expired while a mobile money payment is not confirmed" in text


def test_an_order_that_is_paid_while_it_is_kept_stays_paid(
    order: Any, attempt: Attempt, tua: MagicMock
) -> None:
    """The question was answered before the money arrived."""
    stale = Order.objects.get(pk=order.pk)
    stale.status = Order.STATUS_EXPIRED
    record(attempt, checkout_of(attempt, "PAID"))
    hold_order(stale)
    order.refresh_from_db()
    assert order.status == Order.STATUS_PAID


@pytest.mark.parametrize("is_known", [True, False])
def test_the_periodic_task_keeps_an_order_before_it_expires(
    order: Any, attempt: Attempt, tua: MagicMock, is_known: bool
) -> None:
    soon = timezone.now() + timedelta(minutes=30)
    Order.objects.update(expires=soon)
    if is_known:
        tua.checkouts.get.return_value = checkout_of(attempt, "PENDING")
    else:
        tua.checkouts.get.side_effect = lost()
    for _ in range(2):
        ask_about_pending(sender=None)
    order.refresh_from_db()
    assert order.expires > soon + timedelta(hours=2)
    changes = order.all_logentries().filter(action_type="pretix.event.order.expirychanged")
    assert changes.count() == 1


def test_an_order_whose_checkout_nobody_has_paid_is_not_kept(
    order: Any, attempt: Attempt, tua: MagicMock
) -> None:
    soon = timezone.now() + timedelta(minutes=30)
    Order.objects.update(expires=soon)
    tua.checkouts.get.return_value = checkout_of(attempt, "OPEN")
    ask_about_pending(sender=None)
    order.refresh_from_db()
    assert order.expires == soon


def test_a_lost_webhook_is_found_by_asking(order: Any, attempt: Attempt, tua: MagicMock) -> None:
    tua.checkouts.get.return_value = checkout_of(attempt, "PAID")
    assert reconcile(timezone.now()).attempts == 1
    order.refresh_from_db()
    assert order.status == Order.STATUS_PAID
    assert reconcile(timezone.now()).attempts == 0


def test_an_attempt_that_was_over_is_asked_about_once_a_day(
    order: Any, attempt: Attempt, tua: MagicMock
) -> None:
    """Its charge failed, and the webhook about its conflict was lost."""
    Attempt.objects.update(state="OVER")
    now = timezone.now()
    assert reconcile(now).attempts == 0
    tua.checkouts.get.return_value = checkout_of(attempt, "EXPIRED")
    days = [timedelta(days=1, hours=1), timedelta(days=1, hours=2), timedelta(days=2, hours=2)]
    assert [reconcile(now + each).attempts for each in days] == [1, 0, 1]
    assert reconcile(now + timedelta(days=8)).attempts == 0
    tua.checkouts.get.return_value = checkout_of(attempt, "PAID")
    assert reconcile(now + timedelta(days=4)).attempts == 1
    order.refresh_from_db()
    assert order.status == Order.STATUS_PAID


def test_one_fault_does_not_stop_the_others(event: Any, attempt: Attempt, tua: MagicMock) -> None:
    second = add_payment(create_order(event, "TUA02"))
    other = second.tua_attempts.create(
        number=1, amount=second.amount, mode="test", state="OPEN", checkout_id="chk_other"
    )
    tua.checkouts.get.side_effect = [lost(), checkout_of(other, "PAID")]
    report = reconcile(timezone.now())
    assert (report.attempts, report.faults) == (2, 1)
    other.refresh_from_db()
    assert other.state == "PAID"


def add_refund(attempt: Attempt, **fields: Any) -> Any:
    made = attempt.payment.order.refunds.create(
        payment=attempt.payment, provider="tua", state="transit", source="admin", amount=9
    )
    return attempt.refunds.create(order_refund=made, amount=9, **fields)


def test_the_request_of_a_refund_is_repeated_with_its_key(attempt: Attempt, tua: MagicMock) -> None:
    Attempt.objects.update(state="PAID", charge_id="txn_1")
    refund = add_refund(attempt)
    tua.refunds.create.return_value = refund_of("txn_r1", "SUCCESSFUL")
    assert reconcile(timezone.now()).refunds == 1
    assert tua.refunds.create.call_args.kwargs["idempotency_key"] == refund.idempotency_key
    refund.refresh_from_db()
    assert (refund.state, refund.order_refund.state) == ("SUCCESSFUL", "done")


def test_a_refund_is_not_repeated_after_tua_forgot_its_key(
    order: Any, attempt: Attempt, tua: MagicMock
) -> None:
    Attempt.objects.update(state="PAID", charge_id="txn_1")
    refund = add_refund(attempt)
    for _ in range(2):
        reconcile(timezone.now() + timedelta(days=7))
    tua.refunds.create.assert_not_called()
    refund.refresh_from_db()
    assert refund.state == "PENDING"
    [text] = flags_of(order)
    assert "Nobody knows whether" in text


def test_a_pending_refund_is_asked_about(attempt: Attempt, tua: MagicMock) -> None:
    Attempt.objects.update(state="PAID", charge_id="txn_1")
    refund = add_refund(attempt, refund_id="txn_r1")
    tua.refunds.get.return_value = refund_of("txn_r1", "FAILED")
    reconcile(timezone.now())
    refund.refresh_from_db()
    assert (refund.state, refund.order_refund.state) == ("FAILED", "failed")
