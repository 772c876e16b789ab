from __future__ import annotations

from decimal import Decimal
from html import unescape
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.template import Context
from django.template.defaulttags import IfNode
from django.template.loader import get_template
from django.template.loader_tags import BlockNode
from oscar.apps.payment.exceptions import PaymentError
from tua_pay import TuaConnectionError, TuaUsageError

from tua_pay_oscar.models import LOST, Payment, Refund
from tua_pay_oscar.recording import record
from tua_pay_oscar.refunds import (
    ask_refund,
    explain_pending,
    read_amount,
    record_refund,
    refund_order,
    refund_payment,
)

from .conftest import add_payment, checkout_of, errors_of, refund_of, refusal


@pytest.fixture
def paid(order: Any, payment: Payment) -> Payment:
    record(checkout_of(payment, "PAID"))
    payment.refresh_from_db()
    return payment


@pytest.mark.parametrize("text", ["", "nine", "0", "-1", "9.001", "NaN", "Infinity", "1e-3"])
def test_an_amount_that_is_no_sum_in_cedis_is_refused(text: str) -> None:
    with pytest.raises(PaymentError, match="sum in cedis"):
        read_amount(text)


def test_an_amount_is_read_exactly() -> None:
    assert read_amount(" 9.1 ") == Decimal("9.10")


def test_a_refund_is_recorded_once(order: Any, paid: Payment, tua: MagicMock) -> None:
    tua.refunds.create.return_value = refund_of("txn_r1", "SUCCESSFUL")
    refund = refund_order(order, Decimal("9.00"))
    record_refund(refund, refund_of("txn_r1", "SUCCESSFUL"))
    source = order.sources.get()
    assert (refund.state, source.amount_refunded) == ("SUCCESSFUL", Decimal("9.00"))
    assert source.transactions.filter(txn_type="Refund").count() == 1
    assert order.payment_events.filter(event_type__code="refund").count() == 1


def test_a_refund_is_stored_before_its_request_is_sent(paid: Payment, tua: MagicMock) -> None:
    def request(idempotency_key: str, **_request: Any) -> Any:
        assert Refund.objects.get().idempotency_key == idempotency_key
        return refund_of("txn_r1", "SUCCESSFUL")

    tua.refunds.create.side_effect = request
    assert refund_payment(paid, Decimal("18.00")).state == "SUCCESSFUL"


def test_what_is_being_refunded_is_not_refunded_again(
    order: Any, paid: Payment, tua: MagicMock
) -> None:
    lost = TuaConnectionError("no response", outcome_unknown=True, idempotency_key="key")
    tua.refunds.create.side_effect = lost
    assert refund_order(order, Decimal("10.00")).state == "PENDING"
    with pytest.raises(PaymentError, match=r"At most GHS 8\.00"):
        refund_order(order, Decimal("8.01"))
    assert order.sources.get().amount_refunded == Decimal("0.00")


def test_less_than_is_asked_for_is_left_meanwhile(paid: Payment, tua: MagicMock) -> None:
    """Another refund begins after the form was checked."""
    paid.refunds.create(amount=Decimal("10.00"))
    with pytest.raises(PaymentError, match=r"At most GHS 8\.00"):
        refund_payment(paid, Decimal("8.01"))
    tua.refunds.create.assert_not_called()


def test_a_refund_that_fails_moves_no_money(order: Any, paid: Payment, tua: MagicMock) -> None:
    tua.refunds.create.return_value = refund_of("txn_r1", "FAILED")
    with pytest.raises(PaymentError, match="no money moved"):
        refund_order(order, Decimal("9.00"))
    assert paid.refundable == Decimal("18.00")
    assert order.payment_events.filter(event_type__code="refund").count() == 0
    assert len(errors_of(order)) == 1


def test_a_wrong_setting_fails_a_refund_of_which_nothing_was_sent(
    order: Any, paid: Payment, settings: Any
) -> None:
    settings.TUA = settings.TUA | {"BASE_URL": "https://pay.example"}
    with pytest.raises(PaymentError, match="no money moved"):
        refund_order(order, Decimal("9.00"))
    assert paid.refunds.get().state == "FAILED"


def test_a_wrong_setting_does_not_fail_a_refund_that_may_have_been_sent(
    paid: Payment, settings: Any
) -> None:
    """The shop was stopped after it had sent the first request."""
    refund = paid.refunds.create(amount=Decimal("9.00"))
    settings.TUA = settings.TUA | {"BASE_URL": "https://pay.example"}
    with pytest.raises(TuaUsageError):
        ask_refund(refund)
    refund.refresh_from_db()
    assert refund.state == "PENDING"


def show_in_dashboard(payment: Payment) -> str:
    """The part of the order's page that lists its payments and refunds."""
    template = get_template("tua_pay_oscar/order_detail.html").template
    [block] = template.nodelist.get_nodes_by_type(BlockNode)
    body = block.nodelist.get_nodes_by_type(IfNode)[0]
    return body.render(Context({"tua_payments": [payment]}))


def test_a_refund_whose_key_is_refused_names_the_reason(
    order: Any, paid: Payment, tua: MagicMock
) -> None:
    tua.refunds.create.side_effect = refusal()
    refund = refund_order(order, Decimal("9.00"))
    assert refund.state == "PENDING"
    text = explain_pending(refund)
    assert "The key is not valid. (request req_1). If the key" in text
    assert "Please do not refund again" in text and "was begun" not in text
    assert "The key is not valid." in show_in_dashboard(paid)


def test_the_reason_is_gone_when_the_refund_has_begun(
    order: Any, paid: Payment, tua: MagicMock
) -> None:
    tua.refunds.create.side_effect = refusal()
    refund = refund_order(order, Decimal("9.00"))
    tua.refunds.create.side_effect = None
    tua.refunds.create.return_value = tua.refunds.wait.return_value = refund_of("txn_r1", "PENDING")
    ask_refund(refund)
    refund.refresh_from_db()
    assert "was begun" in explain_pending(refund)
    assert "not valid" not in show_in_dashboard(paid)


def test_a_setting_that_is_wrong_when_a_refund_is_repeated_is_shown(
    paid: Payment, settings: Any
) -> None:
    refund = paid.refunds.create(amount=Decimal("9.00"))
    settings.TUA = settings.TUA | {"BASE_URL": "https://pay.example"}
    with pytest.raises(TuaUsageError) as wrong:
        ask_refund(refund)
    assert str(wrong.value) in unescape(show_in_dashboard(paid))


def test_the_mark_of_a_lost_refund_is_not_shown(paid: Payment) -> None:
    paid.refunds.create(amount=Decimal("9.00"), message=LOST)
    assert LOST not in show_in_dashboard(paid)


def test_a_refund_that_fails_after_it_was_made_is_told(
    order: Any, paid: Payment, tua: MagicMock
) -> None:
    tua.refunds.create.return_value = refund_of("txn_r1", "SUCCESSFUL")
    refund = refund_order(order, Decimal("9.00"))
    record_refund(refund, refund_of("txn_r1", "FAILED"))
    [error] = errors_of(order)
    assert "failed after it was reported as made" in error


def test_each_of_two_payments_is_refunded_for_itself(
    order: Any, paid: Payment, tua: MagicMock
) -> None:
    second = add_payment(order, attempt=2)
    record(checkout_of(second, "PAID"))
    tua.refunds.create.side_effect = [
        refund_of("txn_r1", "SUCCESSFUL"),
        refund_of("txn_r2", "SUCCESSFUL"),
    ]
    first = refund_order(order, Decimal("18.00"))
    assert first.payment == second
    assert refund_order(order, Decimal("18.00")).payment == paid
    with pytest.raises(PaymentError, match=r"At most GHS 0\.00"):
        refund_order(order, Decimal("0.01"))
