from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.core import mail
from django.utils import translation
from django.utils.timezone import now
from pretix.base.models import Order
from pretix.base.services.orders import mark_order_expired

from tua_pay_pretix.attention import ACTION, describe
from tua_pay_pretix.models import Attempt
from tua_pay_pretix.recording import record

from .conftest import (
    add_attempt,
    add_payment,
    charge_of,
    checkout_of,
    conflict_with,
    create_order,
    flags_of,
    lost,
    unpaid_of,
)


def test_money_is_recorded_once(
    order: Any, payment: Any, attempt: Attempt, django_capture_on_commit_callbacks: Any
) -> None:
    for _ in range(3):
        with django_capture_on_commit_callbacks(execute=True):
            record(attempt, checkout_of(attempt, "PAID"))
    order.refresh_from_db()
    payment.refresh_from_db()
    assert (order.status, order.pending_sum) == ("p", Decimal("0.00"))
    assert (payment.state, payment.info_data["charge"]) == ("confirmed", attempt.charge_id)
    confirmed = order.all_logentries().filter(action_type="pretix.event.order.payment.confirmed")
    assert confirmed.count() == 1
    assert flags_of(order) == []
    assert len(mail.outbox) == 1


def test_an_attempt_that_was_read_before_is_recorded_once(order: Any, attempt: Attempt) -> None:
    """A webhook and a question at the same moment."""
    other = Attempt.objects.get(pk=attempt.pk)
    record(attempt, checkout_of(attempt, "PAID"))
    record(other, checkout_of(attempt, "PAID"))
    assert order.payments.count() == 1
    assert flags_of(order) == []


def test_a_pending_payment_is_pending_in_pretix_until_its_charge_failed(
    order: Any, payment: Any, attempt: Attempt
) -> None:
    record(attempt, checkout_of(attempt, "PENDING"))
    payment.refresh_from_db()
    assert payment.state == "pending"
    record(attempt, checkout_of(attempt, "OPEN"))
    payment.refresh_from_db()
    assert (payment.state, attempt.state) == ("created", "OPEN")


def test_a_payment_can_be_begun_again_after_its_checkout_was_over(
    payment: Any, attempt: Attempt
) -> None:
    record(attempt, checkout_of(attempt, "PENDING"))
    record(attempt, checkout_of(attempt, "EXPIRED"))
    payment.refresh_from_db()
    attempt.refresh_from_db()
    assert (payment.state, attempt.state) == ("created", "OVER")


def test_money_of_a_checkout_that_was_over_pays_the_order(order: Any, attempt: Attempt) -> None:
    record(attempt, checkout_of(attempt, "EXPIRED"))
    record(attempt, checkout_of(attempt, "PAID"))
    order.refresh_from_db()
    assert order.status == Order.STATUS_PAID


def test_a_payment_does_not_end_after_it_was_paid(attempt: Attempt) -> None:
    record(attempt, checkout_of(attempt, "PAID"))
    record(attempt, checkout_of(attempt, "CLOSED"))
    attempt.refresh_from_db()
    assert attempt.state == "PAID"


def test_money_for_an_expired_order_revives_it(order: Any, attempt: Attempt) -> None:
    Attempt.objects.update(state="OVER")
    mark_order_expired(order)
    record(attempt, checkout_of(attempt, "PAID"))
    order.refresh_from_db()
    assert order.status == Order.STATUS_PAID
    assert flags_of(order) == []


@pytest.mark.parametrize(("begun", "status"), [(2, Order.STATUS_PAID), (0, Order.STATUS_EXPIRED)])
def test_money_is_late_where_its_payer_began_after_the_order_expired(
    order: Any, attempt: Attempt, begun: int, status: str
) -> None:
    """The event accepts no late payments. The attempt began so many hours ago."""
    order.event.settings.payment_term_accept_late = False
    Attempt.objects.update(state="OVER", created_at=now() - timedelta(hours=begun))
    Order.objects.update(expires=now() - timedelta(hours=1))
    order.refresh_from_db()
    mark_order_expired(order)
    attempt.refresh_from_db()
    record(attempt, checkout_of(attempt, "PAID"))
    order.refresh_from_db()
    assert order.status == status
    assert len(flags_of(order)) == (0 if status == Order.STATUS_PAID else 1)


def test_money_for_an_expired_order_whose_tickets_are_sold_is_told(
    order: Any, payment: Any, attempt: Attempt
) -> None:
    Attempt.objects.update(state="OVER")
    mark_order_expired(order)
    for code in ("TUA02", "TUA03"):
        create_order(order.event, code, status=Order.STATUS_PAID)
    record(attempt, checkout_of(attempt, "PAID"))
    order.refresh_from_db()
    payment.refresh_from_db()
    assert (order.status, payment.state) == (Order.STATUS_EXPIRED, "confirmed")
    assert order.custom_followup_at is not None
    [text] = flags_of(order)
    assert "could not be marked as paid" in text


def test_money_for_a_waiting_order_is_taken_after_the_last_date_of_payments(
    order: Any, attempt: Attempt
) -> None:
    """The payer has begun in time, and the tickets are still reserved."""
    order.event.settings.payment_term_last = (now() - timedelta(days=1)).date().isoformat()
    record(attempt, checkout_of(attempt, "PAID"))
    order.refresh_from_db()
    assert order.status == Order.STATUS_PAID


def test_money_for_a_cancelled_order_is_recorded_and_told(
    order: Any, payment: Any, attempt: Attempt
) -> None:
    order.status = Order.STATUS_CANCELED
    order.save()
    record(attempt, checkout_of(attempt, "PAID"))
    order.refresh_from_db()
    payment.refresh_from_db()
    assert (order.status, payment.state) == (Order.STATUS_CANCELED, "confirmed")
    [text] = flags_of(order)
    assert "arrived after the order was cancelled" in text


def test_money_for_an_order_that_another_method_paid_is_told(order: Any, attempt: Attempt) -> None:
    add_payment(order, "manual").confirm()
    record(attempt, checkout_of(attempt, "PAID"))
    [text] = flags_of(order)
    assert "the order was paid already" in text
    assert order.pending_sum == Decimal("-18.00")


def test_money_for_a_payment_that_people_marked_as_complete_is_not_counted_twice(
    order: Any, payment: Any, attempt: Attempt
) -> None:
    payment.confirm()
    record(attempt, checkout_of(attempt, "PAID"))
    [text] = flags_of(order)
    assert "that people had marked as complete" in text
    assert order.pending_sum == Decimal("0.00")
    assert payment.tua_attempts.get().charge_id == f"txn_{attempt.checkout_id}"


def test_a_second_checkout_of_a_payment_that_pays_too_is_a_payment_of_its_own(
    order: Any, payment: Any, attempt: Attempt
) -> None:
    second = add_attempt(payment, 2)
    record(attempt, checkout_of(attempt, "PAID"))
    record(second, checkout_of(second, "PAID"))
    order.refresh_from_db()
    assert [each.state for each in order.payments.all()] == ["confirmed", "confirmed"]
    assert order.pending_sum == Decimal("-18.00")
    assert len(flags_of(order)) == 1


def test_less_money_than_the_total_leaves_the_order_waiting(order: Any, attempt: Attempt) -> None:
    record(attempt, checkout_of(attempt, "PAID", amount="17.99"))
    order.refresh_from_db()
    assert (order.status, order.pending_sum) == (Order.STATUS_PENDING, Decimal("0.01"))
    [text] = flags_of(order)
    assert "does not cover the order" in text


def test_a_checkout_of_the_other_mode_pays_nothing(order: Any, attempt: Attempt) -> None:
    record(attempt, checkout_of(attempt, "PAID", mode="live"))
    order.refresh_from_db()
    assert order.status == Order.STATUS_PENDING


def test_what_can_still_be_paid_of_a_paid_order_is_closed(
    order: Any, attempt: Attempt, tua: MagicMock, django_capture_on_commit_callbacks: Any
) -> None:
    other = add_attempt(add_payment(order), 1)
    tua.checkouts.get.return_value = checkout_of(other, "OPEN")
    tua.checkouts.close.return_value = checkout_of(other, "CLOSED")
    with django_capture_on_commit_callbacks(execute=True):
        record(attempt, checkout_of(attempt, "PAID"))
    tua.checkouts.close.assert_called_once_with(other.checkout_id)
    other.refresh_from_db()
    assert other.state == "OVER"


def test_what_can_still_be_paid_and_not_closed_is_told(
    order: Any, attempt: Attempt, tua: MagicMock, django_capture_on_commit_callbacks: Any
) -> None:
    add_attempt(add_payment(order), 1)
    tua.checkouts.get.side_effect = lost()
    with django_capture_on_commit_callbacks(execute=True):
        record(attempt, checkout_of(attempt, "PAID"))
    [text] = flags_of(order)
    assert "another payment of it may still arrive" in text


def test_the_charge_that_paid_is_the_one_to_refund(attempt: Attempt) -> None:
    """Both charges were reported as failed, then the first one as paid."""
    of = attempt.checkout_id
    first = charge_of(of, "FAILED", transactionId="txn_first", conflict=conflict_with("SUCCESSFUL"))
    latest = charge_of(of, "FAILED", transactionId="txn_latest")
    record(attempt, checkout_of(attempt, "PAID", transaction=latest, paidTransaction=first))
    assert attempt.charge_id == "txn_first"


def test_an_order_whose_money_did_not_arrive_is_not_paid(
    order: Any, payment: Any, attempt: Attempt
) -> None:
    record(attempt, checkout_of(attempt, "PENDING"))
    record(attempt, unpaid_of(attempt))
    for each in (order, payment, attempt):
        each.refresh_from_db()
    assert (order.status, payment.state, attempt.state) == ("n", "created", "OVER")
    assert flags_of(order) == []


def test_money_that_a_review_does_not_find_leaves_a_paid_order_and_is_told_once(
    order: Any, attempt: Attempt
) -> None:
    record(attempt, checkout_of(attempt, "PAID"))
    for _ in range(2):
        record(attempt, unpaid_of(attempt))
    order.refresh_from_db()
    attempt.refresh_from_db()
    assert (order.status, attempt.state) == ("p", "PAID")
    [text] = flags_of(order)
    assert f"{attempt.checkout_id}: a review at Tua found that no money arrived" in text


def test_the_log_is_in_the_language_of_whoever_reads_it(order: Any, attempt: Attempt) -> None:
    order.status = Order.STATUS_CANCELED
    order.save()
    record(attempt, checkout_of(attempt, "PAID"))
    entry = order.all_logentries().get(action_type=ACTION)
    assert entry.display().startswith("Tua: GHS 18.00")
    with translation.override("fr"):
        assert "annulation de la commande" in describe(entry.parsed_data)
