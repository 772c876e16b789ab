"""People of the shop, and its code, change the status of an order."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from unittest.mock import MagicMock

import pytest
from oscar.apps.order.processing import EventHandler as CoreEventHandler
from oscar.apps.payment.exceptions import PaymentError
from oscar.core.loading import get_model
from tua_pay import TuaConnectionError

from tua_pay_oscar import processing, recording
from tua_pay_oscar.models import Payment
from tua_pay_oscar.processing import TuaEventHandlerMixin
from tua_pay_oscar.recording import record

from .conftest import add_payment, checkout_of, errors_of


class EventHandler(TuaEventHandlerMixin, CoreEventHandler):
    pass


def cancel(order: Any) -> None:
    EventHandler().handle_order_status_change(order, "Cancelled")


def status_of(order: Any) -> str:
    return get_model("order", "Order").objects.get(pk=order.pk).status


def test_an_order_that_was_paid_since_it_was_read_is_not_cancelled(
    order: Any, payment: Payment
) -> None:
    """The dashboard reads many orders, then asks Tua about one after the other."""
    record(checkout_of(payment, "PAID"))
    assert order.status == "Waiting for payment"
    with pytest.raises(PaymentError, match="has changed at the same moment"):
        cancel(order)
    assert status_of(order) == "Being processed"


def test_a_payment_that_begins_while_the_others_are_closed_keeps_the_order(
    order: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processing, "close_payments", add_payment)
    with pytest.raises(PaymentError, match="has changed at the same moment"):
        cancel(order)
    assert status_of(order) == "Waiting for payment"


def test_an_order_whose_checkout_is_closed_is_cancelled(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    tua.checkouts.get.return_value = checkout_of(payment, "OPEN")
    tua.checkouts.close.return_value = checkout_of(payment, "CLOSED")
    cancel(order)
    assert status_of(order) == "Cancelled"


@pytest.fixture
def handled_by_shop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shop has the class in its `order/processing.py`."""
    monkeypatch.setattr(recording, "get_class", lambda *_names: EventHandler)


def test_money_is_recorded_whatever_tua_says_about_another_attempt(
    order: Any,
    payment: Payment,
    tua: MagicMock,
    handled_by_shop: None,
    django_capture_on_commit_callbacks: Any,
) -> None:
    second = add_payment(order, attempt=2)
    tua.checkouts.get.side_effect = TuaConnectionError(
        "no response", outcome_unknown=True, idempotency_key="key"
    )
    with django_capture_on_commit_callbacks() as callbacks:
        record(checkout_of(payment, "PAID"))
        tua.checkouts.get.assert_not_called()
    assert status_of(order) == "Being processed"
    assert order.sources.get().amount_debited == Decimal("18.00")
    for callback in callbacks:
        callback()
    [error] = errors_of(order)
    assert "another payment of it may still arrive" in error
    second.refresh_from_db()
    assert second.state == "OPEN"


@pytest.mark.parametrize("is_handled_by_shop", [True, False])
def test_a_paid_order_closes_its_other_attempt(
    order: Any,
    payment: Payment,
    tua: MagicMock,
    request: pytest.FixtureRequest,
    django_capture_on_commit_callbacks: Any,
    is_handled_by_shop: bool,
) -> None:
    if is_handled_by_shop:
        request.getfixturevalue("handled_by_shop")
    second = add_payment(order, attempt=2)
    tua.checkouts.get.return_value = checkout_of(second, "OPEN")
    tua.checkouts.close.return_value = checkout_of(second, "CLOSED")
    with django_capture_on_commit_callbacks(execute=True):
        record(checkout_of(payment, "PAID"))
    tua.checkouts.close.assert_called_once_with(second.checkout_id)
    second.refresh_from_db()
    assert (second.state, errors_of(order)) == ("OVER", [])
