from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone
from oscar.test.factories import OrderLineFactory, SourceFactory
from tua_pay import TuaConnectionError

from tua_pay_oscar.models import Payment
from tua_pay_oscar.reconcile import reconcile
from tua_pay_oscar.recording import record

from .conftest import add_payment, checkout_of, errors_of, refund_of

LIVE = "tua_live_v2_0123456789abcdef"


def lost() -> TuaConnectionError:
    return TuaConnectionError("no response", outcome_unknown=True, idempotency_key="key")


def test_a_lost_webhook_is_found_by_asking(order: Any, payment: Payment, tua: MagicMock) -> None:
    tua.checkouts.get.return_value = checkout_of(payment, "PAID")
    assert reconcile(timezone.now()).payments == 1
    order.refresh_from_db()
    assert order.status == "Being processed"
    assert reconcile(timezone.now()).payments == 0


def test_a_payment_that_was_over_is_asked_about_once_a_day(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    """Its charge failed, and the webhook about its conflict was lost."""
    record(checkout_of(payment, "EXPIRED"))
    now = timezone.now()
    assert reconcile(now).payments == 0
    order.set_status("Cancelled")
    tua.checkouts.get.return_value = checkout_of(payment, "EXPIRED")
    days = [timedelta(days=1, hours=1), timedelta(days=1, hours=2), timedelta(days=2, hours=2)]
    assert [reconcile(now + each).payments for each in days] == [1, 0, 1]
    assert reconcile(now + timedelta(days=8)).payments == 0
    tua.checkouts.get.return_value = checkout_of(payment, "PAID")
    assert reconcile(now + timedelta(days=4)).payments == 1
    [error] = errors_of(order)
    assert "arrived after the order was cancelled" in error


def test_one_fault_does_not_stop_the_others(order: Any, payment: Payment, tua: MagicMock) -> None:
    second = add_payment(order, attempt=2)
    tua.checkouts.get.side_effect = [lost(), checkout_of(second, "PAID")]
    report = reconcile(timezone.now())
    assert (report.payments, report.faults) == (2, 1)
    second.refresh_from_db()
    assert second.state == "PAID"


def test_the_command_fails_where_something_was_not_asked(payment: Payment, tua: MagicMock) -> None:
    tua.checkouts.get.side_effect = lost()
    with pytest.raises(CommandError, match="1 could not be asked about"):
        call_command("tua_reconcile", verbosity=0)


@pytest.mark.parametrize("status", ["OPEN", "PENDING"])
def test_an_order_whose_payment_is_not_over_is_never_cancelled(
    order: Any, payment: Payment, tua: MagicMock, status: str
) -> None:
    tua.checkouts.get.return_value = checkout_of(payment, status)
    assert reconcile(timezone.now() + timedelta(days=20)).cancelled == 0


def test_an_order_is_not_cancelled_while_tua_does_not_respond(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    tua.checkouts.get.side_effect = lost()
    assert reconcile(timezone.now() + timedelta(days=20)).cancelled == 0


def test_an_order_that_nobody_paid_is_cancelled_after_its_time(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    tua.checkouts.get.return_value = checkout_of(payment, "EXPIRED")
    assert reconcile(timezone.now() + timedelta(hours=23)).cancelled == 0
    assert reconcile(timezone.now() + timedelta(hours=25)).cancelled == 1
    order.refresh_from_db()
    assert order.status == "Cancelled"
    [note] = order.notes.all()
    assert "no money moved" in note.message


def test_an_order_that_is_paid_in_part_otherwise_is_not_cancelled(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    SourceFactory(order=order, amount_debited=Decimal("8.00"))
    tua.checkouts.get.return_value = checkout_of(payment, "EXPIRED")
    for _ in range(2):
        assert reconcile(timezone.now() + timedelta(hours=25)).cancelled == 0
    order.refresh_from_db()
    assert order.status == "Waiting for payment"
    [error] = errors_of(order)
    assert "because GHS 8.00 of it are paid" in error


def test_stock_that_people_changed_by_hand_does_not_keep_the_order(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    OrderLineFactory(order=order, quantity=1)
    tua.checkouts.get.return_value = checkout_of(payment, "EXPIRED")
    assert reconcile(timezone.now() + timedelta(hours=25)).faults == 0
    order.refresh_from_db()
    assert order.status == "Cancelled"


def test_an_order_of_another_method_is_left_alone(order: Any, tua: MagicMock) -> None:
    assert reconcile(timezone.now() + timedelta(days=20)).cancelled == 0


def test_the_request_of_a_refund_is_repeated_with_its_key(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    record(checkout_of(payment, "PAID"))
    refund = payment.refunds.create(amount=Decimal("9.00"))
    tua.refunds.create.return_value = refund_of("txn_r1", "SUCCESSFUL")
    reconcile(timezone.now())
    assert tua.refunds.create.call_args.kwargs["idempotency_key"] == refund.idempotency_key
    refund.refresh_from_db()
    assert refund.state == "SUCCESSFUL"


def test_a_refund_is_not_repeated_after_tua_forgot_its_key(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    record(checkout_of(payment, "PAID"))
    refund = payment.refunds.create(amount=Decimal("9.00"))
    for _ in range(2):
        reconcile(timezone.now() + timedelta(days=7))
    tua.refunds.create.assert_not_called()
    refund.refresh_from_db()
    assert refund.state == "PENDING"
    [error] = errors_of(order)
    assert "Nobody knows whether" in error


def test_test_refunds_end_when_the_shop_is_live(
    order: Any, payment: Payment, tua: MagicMock, settings: Any
) -> None:
    record(checkout_of(payment, "PAID"))
    refund = payment.refunds.create(amount=Decimal("9.00"), refund_id="txn_r1")
    settings.TUA = settings.TUA | {"SECRET_KEY": LIVE}
    reconcile(timezone.now())
    refund.refresh_from_db()
    assert refund.state == "FAILED"
    tua.refunds.get.assert_not_called()
