from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.core import mail
from oscar.test.factories import SourceFactory
from tua_pay import Checkout

from tua_pay_oscar.models import Payment
from tua_pay_oscar.recording import record
from tua_pay_oscar.signals import order_paid

from .conftest import add_payment, checkout_of, errors_of


def pay(capture: Any, checkout: Checkout) -> None:
    """Records a checkout, and what follows the end of the transaction."""
    with capture(execute=True):
        record(checkout)


def test_money_is_recorded_once(
    order: Any, payment: Payment, django_capture_on_commit_callbacks: Any
) -> None:
    received: list[Any] = []
    order_paid.connect(lambda **values: received.append(values["order"]), weak=False)
    for _ in range(3):
        pay(django_capture_on_commit_callbacks, checkout_of(payment, "PAID"))
    order.refresh_from_db()
    assert order.status == "Being processed"
    source = order.sources.get()
    assert (source.amount_debited, source.reference) == (
        Decimal("18.00"),
        f"txn_{payment.checkout_id}",
    )
    assert source.transactions.get().txn_type == "Debit"
    assert order.payment_events.get().event_type.code == "paid"
    assert errors_of(order) == []
    assert received == [order]
    assert len(mail.outbox) == 1


def test_a_mail_server_that_fails_does_not_undo_the_payment(
    order: Any,
    payment: Payment,
    django_capture_on_commit_callbacks: Any,
    settings: Any,
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1
    received: list[Any] = []
    order_paid.connect(lambda **values: received.append(values["payment"]), weak=False)
    pay(django_capture_on_commit_callbacks, checkout_of(payment, "PAID"))
    order.refresh_from_db()
    assert order.status == "Being processed"
    assert received == [payment]


def test_goods_are_delivered_before_the_slow_email(
    order: Any, payment: Payment, django_capture_on_commit_callbacks: Any
) -> None:
    mails: list[int] = []
    order_paid.connect(lambda **_values: mails.append(len(mail.outbox)), weak=False)
    pay(django_capture_on_commit_callbacks, checkout_of(payment, "PAID"))
    assert (mails, len(mail.outbox)) == ([0], 1)


@pytest.mark.parametrize("status", ["OPEN", "PENDING"])
def test_an_open_or_pending_checkout_changes_nothing(
    order: Any, payment: Payment, status: str
) -> None:
    record(checkout_of(payment, status))
    payment.refresh_from_db()
    order.refresh_from_db()
    assert (payment.state, order.status) == ("OPEN", "Waiting for payment")


def test_money_of_a_checkout_that_was_over_pays_the_order(order: Any, payment: Payment) -> None:
    record(checkout_of(payment, "EXPIRED"))
    payment.refresh_from_db()
    assert payment.state == "OVER"
    record(checkout_of(payment, "PAID"))
    order.refresh_from_db()
    assert order.status == "Being processed"


def test_a_payment_does_not_end_after_it_was_paid(payment: Payment) -> None:
    record(checkout_of(payment, "PAID"))
    record(checkout_of(payment, "CLOSED"))
    payment.refresh_from_db()
    assert payment.state == "PAID"


def test_money_for_a_cancelled_order_is_recorded_and_people_are_told(
    order: Any, payment: Payment
) -> None:
    order.set_status("Cancelled")
    record(checkout_of(payment, "PAID"))
    order.refresh_from_db()
    assert order.status == "Cancelled"
    assert order.sources.get().amount_debited == Decimal("18.00")
    [error] = errors_of(order)
    assert "arrived after the order was cancelled" in error


def test_money_for_an_order_that_another_method_paid_is_told(order: Any, payment: Payment) -> None:
    SourceFactory(order=order, amount_debited=Decimal("18.00"))
    record(checkout_of(payment, "PAID"))
    [error] = errors_of(order)
    assert "Refund one of its payments" in error
    assert order.sources.count() == 2


def test_money_for_an_order_that_people_process_unpaid_is_told(
    order: Any, payment: Payment
) -> None:
    order.set_status("Being processed")
    record(checkout_of(payment, "PAID"))
    [error] = errors_of(order)
    assert "did not wait for it: its status is Being processed" in error


def test_the_second_attempt_that_pays_too_is_told(order: Any, payment: Payment) -> None:
    second = add_payment(order, attempt=2)
    record(checkout_of(payment, "PAID"))
    record(checkout_of(second, "PAID"))
    assert len(errors_of(order)) == 1
    assert order.payment_events.count() == 2


def test_less_money_than_the_total_leaves_the_order_waiting(order: Any, payment: Payment) -> None:
    record(checkout_of(payment, "PAID", amount="17.99"))
    order.refresh_from_db()
    assert order.status == "Waiting for payment"
    [error] = errors_of(order)
    assert "does not cover the order" in error


def test_a_status_that_the_pipeline_refuses_does_not_undo_the_record(
    order: Any, payment: Payment, settings: Any
) -> None:
    settings.TUA = settings.TUA | {"PAID_STATUS": "Shipped"}
    record(checkout_of(payment, "PAID"))
    assert order.sources.get().amount_debited == Decimal("18.00")
    [error] = errors_of(order)
    assert "OSCAR_ORDER_STATUS_PIPELINE" in error


def test_the_note_is_in_the_language_of_the_shop(
    order: Any, payment: Payment, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "fr"
    order.set_status("Cancelled")
    record(checkout_of(payment, "PAID"))
    [error] = errors_of(order)
    assert "annulation de la commande" in error


def test_a_test_payment_pays_nothing_in_a_live_shop(
    order: Any, payment: Payment, settings: Any
) -> None:
    settings.TUA = settings.TUA | {"SECRET_KEY": "tua_live_v2_0123456789abcdef"}
    for _ in range(2):
        record(checkout_of(payment, "PAID", mode="test"))
    order.refresh_from_db()
    payment.refresh_from_db()
    assert (order.status, payment.state) == ("Waiting for payment", "OVER")
    assert order.sources.count() == 0
    [error] = errors_of(order)
    assert "a test payment arrived" in error


def test_a_checkout_of_another_system_is_ignored(order: Any, payment: Payment) -> None:
    other = checkout_of(payment, "PAID").model_copy(update={"checkout_id": "chk_other"})
    record(other)
    assert order.sources.count() == 0
