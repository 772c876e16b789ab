"""An operator contradicts the outcome of a charge or of a refund. The status at Tua stays."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.test import Client
from tua_pay import CheckoutStatus
from tua_pay.testing import sign_delivery

from tua_pay_oscar.checkouts import ask, close_payments
from tua_pay_oscar.models import Payment
from tua_pay_oscar.recording import record
from tua_pay_oscar.refunds import record_refund

from .conftest import (
    charge_of,
    checkout_of,
    conflict_with,
    deliver,
    errors_of,
    event_of,
    refund_of,
    unpaid_of,
)


@pytest.fixture
def send(client: Client, payment: Payment, settings: Any) -> Any:
    """Sends an event of a charge of the payment, twice."""

    def send(type: str, **data: Any) -> None:
        event = event_of(type, **{"checkoutId": payment.checkout_id} | data)
        for _ in range(2):
            assert deliver(client, sign_delivery(settings.TUA["WEBHOOK_SECRET"], event)) == 204

    return send


@pytest.fixture
def paid(payment: Payment) -> Payment:
    record(checkout_of(payment, "PAID"))
    payment.refresh_from_db()
    return payment


def test_the_charge_that_paid_is_told_once(order: Any, paid: Payment, send: Any) -> None:
    send("charge.conflict", transactionId=paid.charge_id)
    [error] = errors_of(order)
    assert "the operator contradicts the outcome" in error


def test_a_charge_without_a_checkout_is_found_by_its_own_id(
    order: Any, paid: Payment, send: Any
) -> None:
    send("charge.conflict", transactionId=paid.charge_id, checkoutId=None)
    assert len(errors_of(order)) == 1


def test_an_earlier_charge_that_brought_money_too_is_told(
    order: Any, paid: Payment, send: Any
) -> None:
    """It was reported as failed, so the payer tried again and paid."""
    send("charge.conflict", transactionId="txn_first", conflict=conflict_with("SUCCESSFUL"))
    [error] = errors_of(order)
    assert "txn_first: the operator reports this charge as paid, and another" in error


def test_a_later_charge_that_brings_money_too_is_told(order: Any, paid: Payment, send: Any) -> None:
    """An earlier conflict had paid the checkout, which is reported once."""
    send("charge.successful", transactionId="txn_later")
    [error] = errors_of(order)
    assert "txn_later: the operator reports this charge as paid, and another" in error


def test_the_charge_that_paid_is_no_second_one(order: Any, paid: Payment, send: Any) -> None:
    send("charge.successful", transactionId=paid.charge_id)
    assert errors_of(order) == []


def test_the_charge_that_paid_is_the_one_to_refund(payment: Payment) -> None:
    """Both charges of a checkout were reported as failed, then the first one as paid."""
    conflict = conflict_with("SUCCESSFUL")
    of = payment.checkout_id
    first = charge_of(of, "FAILED", transactionId="txn_first", conflict=conflict)
    latest = charge_of(of, "FAILED", transactionId="txn_latest")
    checkout = checkout_of(payment, "PAID", transaction=latest, paidTransaction=first)
    for _ in range(2):
        record(checkout)
    payment.refresh_from_db()
    assert (payment.state, payment.charge_id) == ("PAID", "txn_first")
    assert payment.source.reference == "txn_first"


def test_an_order_whose_money_did_not_arrive_is_not_paid(order: Any, payment: Payment) -> None:
    record(unpaid_of(payment))
    payment.refresh_from_db()
    order.refresh_from_db()
    assert (payment.state, order.status) == ("OVER", "Waiting for payment")
    assert (order.sources.count(), errors_of(order)) == (0, [])


def test_a_payment_is_not_over_while_another_charge_of_its_checkout_is_pending(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    pending = charge_of(payment.checkout_id, "PENDING", failure=None)
    tua.checkouts.get.return_value = unpaid_of(payment, transaction=pending)
    assert ask(payment) is CheckoutStatus.PENDING
    payment.refresh_from_db()
    assert payment.state == "OPEN"


def test_a_checkout_whose_money_did_not_arrive_is_closed(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    tua.checkouts.get.return_value = unpaid_of(payment)
    close_payments(order)
    payment.refresh_from_db()
    assert payment.state == "OVER"
    tua.checkouts.close.assert_not_called()


def test_money_that_a_review_does_not_find_leaves_a_paid_order_and_is_told_once(
    order: Any, paid: Payment
) -> None:
    for _ in range(2):
        record(unpaid_of(paid))
    paid.refresh_from_db()
    order.refresh_from_db()
    assert (paid.state, order.status) == ("PAID", "Being processed")
    [error] = errors_of(order)
    assert f"{paid.checkout_id}: a review at Tua found that no money arrived" in error


def test_a_charge_of_no_order_is_logged(payment: Payment, send: Any, caplog: Any) -> None:
    send("charge.conflict", transactionId="txn_other", checkoutId="chk_other")
    assert "txn_other has a conflict, and is of no order here" in caplog.text


def test_a_failed_refund_whose_money_returned_is_not_made_again(
    order: Any, paid: Payment, send: Any
) -> None:
    refund = paid.refunds.create(amount=Decimal("9.00"), refund_id="txn_r1")
    record_refund(refund, refund_of("txn_r1", "FAILED"))
    failure = event_of("refund.failed")["data"]["failure"]
    conflict = conflict_with("SUCCESSFUL")
    send("refund.conflict", refundId="txn_r1", status="FAILED", failure=failure, conflict=conflict)
    refund.refresh_from_db()
    assert (refund.state, refund.message, paid.refundable) == ("SUCCESSFUL", "", Decimal("9.00"))
    assert order.sources.get().amount_refunded == Decimal("9.00")
    [error] = [text for text in errors_of(order) if "txn_r1" in text]
    assert "the operator contradicts the outcome of this refund" in error


def test_a_refund_whose_money_did_not_return_is_told(order: Any, paid: Payment, send: Any) -> None:
    refund = paid.refunds.create(amount=Decimal("9.00"), refund_id="txn_r1")
    record_refund(refund, refund_of("txn_r1", "SUCCESSFUL"))
    send("refund.conflict", refundId="txn_r1", conflict=conflict_with("FAILED"))
    refund.refresh_from_db()
    assert (refund.state, paid.refundable) == ("SUCCESSFUL", Decimal("9.00"))
    assert len(errors_of(order)) == 1


@pytest.mark.parametrize("decision", ["SUCCESSFUL", "FAILED"])
@pytest.mark.parametrize("status", ["SUCCESSFUL", "FAILED"])
def test_what_people_decided_counts(order: Any, paid: Payment, status: str, decision: str) -> None:
    refund = paid.refunds.create(amount=Decimal("9.00"), refund_id="txn_r1")
    observed = "FAILED" if status == "SUCCESSFUL" else "SUCCESSFUL"
    record_refund(refund, refund_of("txn_r1", status, conflict_with(observed, decision)))
    refund.refresh_from_db()
    assert refund.state == decision
