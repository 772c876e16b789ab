from __future__ import annotations

from decimal import Decimal
from typing import Any
from unittest.mock import MagicMock

import pytest
from oscar.apps.payment.exceptions import UnableToTakePayment
from oscar.core.prices import Price
from oscar.test.factories import SourceFactory
from tua_pay import OpenedCheckout, TuaApiError, TuaConnectionError
from tua_pay.errors import Problem

from tua_pay_oscar import texts
from tua_pay_oscar.checkout_views import check_total
from tua_pay_oscar.checkouts import PaymentRefusal, ask, close_payments, open_checkout
from tua_pay_oscar.models import Payment
from tua_pay_oscar.recording import record

from .conftest import add_payment, checkout_of

LIVE = "tua_live_v2_0123456789abcdef"
RETURN_URL = "https://shop.example/return"


def opened(checkout_id: str) -> OpenedCheckout:
    return OpenedCheckout(
        checkoutId=checkout_id,
        checkoutToken="tua_checkout_x",
        expiresAt="2026-11-27T10:00:00.000Z",
        reference="100001",
        url=f"https://pay.example/{checkout_id}",
    )


def lost() -> TuaConnectionError:
    return TuaConnectionError("no response", outcome_unknown=True, idempotency_key="key")


def refused() -> TuaApiError:
    problem = Problem(422, "invalid_url", "", "returnUrl is not https", None, ())
    return TuaApiError(problem, None, outcome_unknown=False, idempotency_key="key")


def refusal_of(order: Any) -> Any:
    with pytest.raises(PaymentRefusal) as caught:
        open_checkout(order, RETURN_URL)
    return caught.value.args[0]


def test_an_attempt_is_repeated_with_the_same_key(order: Any, tua: MagicMock) -> None:
    tua.checkouts.create.side_effect = lost()
    assert refusal_of(order) is texts.NOTHING_BEGAN
    payment = order.tua_payments.get()
    tua.checkouts.create.side_effect = [opened("chk_1")]
    tua.checkouts.get.return_value = checkout_of(Payment(checkout_id="chk_1"), "OPEN")
    assert open_checkout(order, "https://shop.example/other") == "https://pay.example/chk_1"
    first, second = tua.checkouts.create.call_args_list
    assert first == second
    assert first.kwargs["idempotency_key"] == payment.idempotency_key
    assert first.kwargs["amount"] == Decimal("18.00")


def test_an_attempt_that_tua_refuses_is_not_repeated(order: Any, tua: MagicMock) -> None:
    """Its return address was wrong, and the settings of the shop were mended then."""
    tua.checkouts.create.side_effect = refused()
    assert refusal_of(order) is texts.NOTHING_BEGAN
    tua.checkouts.create.side_effect = [opened("chk_1")]
    tua.checkouts.get.return_value = checkout_of(Payment(checkout_id="chk_1"), "OPEN")
    assert open_checkout(order, "https://shop.example/mended") == "https://pay.example/chk_1"
    first, second = tua.checkouts.create.call_args_list
    assert second.kwargs["return_url"] == "https://shop.example/mended"
    assert first.kwargs["idempotency_key"] != second.kwargs["idempotency_key"]


def test_nothing_is_said_about_money_after_another_tab_had_the_address(
    order: Any, tua: MagicMock
) -> None:
    def lose(**_request: Any) -> OpenedCheckout:
        order.tua_payments.update(state="OPEN", checkout_id="chk_1")
        raise lost()

    tua.checkouts.create.side_effect = lose
    assert refusal_of(order) is texts.UNKNOWN


def test_nothing_is_said_about_money_after_the_payer_had_the_address(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    tua.checkouts.get.side_effect = lost()
    assert refusal_of(order) is texts.UNKNOWN


def test_a_paid_order_begins_nothing(order: Any, tua: MagicMock) -> None:
    SourceFactory(order=order, amount_debited=Decimal("18.00"))
    assert refusal_of(order) is texts.ALREADY_PAID
    tua.checkouts.create.assert_not_called()


def test_a_part_that_another_method_paid_is_not_asked_for(order: Any, tua: MagicMock) -> None:
    SourceFactory(order=order, amount_debited=Decimal("8.00"), amount_refunded=Decimal("1.00"))
    tua.checkouts.create.side_effect = lost()
    refusal_of(order)
    assert order.tua_payments.get().amount == Decimal("11.00")


def test_a_cancelled_order_begins_nothing(order: Any, tua: MagicMock) -> None:
    order.set_status("Cancelled")
    assert refusal_of(order) is texts.CANCELLED
    tua.checkouts.create.assert_not_called()


def test_an_order_that_is_cancelled_meanwhile_closes_its_checkout(
    order: Any, tua: MagicMock
) -> None:
    def cancel(**_request: Any) -> OpenedCheckout:
        order.set_status("Cancelled")
        return opened("chk_1")

    tua.checkouts.create.side_effect = cancel
    tua.checkouts.close.return_value = checkout_of(Payment(checkout_id="chk_1"), "CLOSED")
    assert refusal_of(order) is texts.CANCELLED
    tua.checkouts.close.assert_called_once_with("chk_1")
    assert order.tua_payments.get().state == "OVER"


def test_an_order_that_is_paid_meanwhile_is_said_to_be_paid(
    order: Any, payment: Payment, tua: MagicMock
) -> None:
    def pay(**_request: Any) -> OpenedCheckout:
        record(checkout_of(payment, "PAID"))
        return opened(str(payment.checkout_id))

    tua.checkouts.get.return_value = checkout_of(payment, "OPEN")
    tua.checkouts.create.side_effect = pay
    assert refusal_of(order) is texts.ALREADY_PAID
    tua.checkouts.close.assert_not_called()


def test_an_order_that_people_process_unpaid_is_not_said_to_be_cancelled(
    order: Any, tua: MagicMock
) -> None:
    order.set_status("Being processed")
    assert refusal_of(order) is texts.NOT_WAITING


def test_a_test_payment_is_over_when_the_shop_is_live(
    order: Any, payment: Payment, tua: MagicMock, settings: Any
) -> None:
    settings.TUA = settings.TUA | {"SECRET_KEY": LIVE}
    tua.checkouts.create.side_effect = [opened("chk_live")]
    tua.checkouts.get.return_value = checkout_of(Payment(checkout_id="chk_live"), "OPEN")
    assert open_checkout(order, RETURN_URL) == "https://pay.example/chk_live"
    assert [(each.mode, each.state) for each in order.tua_payments.all()] == [
        ("test", "OVER"),
        ("live", "OPEN"),
    ]


def test_a_live_payment_is_not_over_with_a_test_key(order: Any, tua: MagicMock) -> None:
    payment = add_payment(order, mode="live")
    assert ask(payment) is None
    assert refusal_of(order) is texts.UNKNOWN
    payment.refresh_from_db()
    assert payment.state == "OPEN"
    tua.checkouts.create.assert_not_called()


@pytest.mark.parametrize(
    ("status", "sentence"),
    [("PENDING", texts.NOT_CONFIRMED), ("PAID", texts.ALREADY_PAID)],
)
def test_a_payment_under_way_is_not_closed(
    order: Any, payment: Payment, tua: MagicMock, status: str, sentence: Any
) -> None:
    tua.checkouts.get.return_value = checkout_of(payment, status)
    with pytest.raises(PaymentRefusal) as caught:
        close_payments(order)
    assert caught.value.args[0] is sentence
    tua.checkouts.close.assert_not_called()


def test_what_is_not_known_is_not_closed(order: Any, payment: Payment, tua: MagicMock) -> None:
    tua.checkouts.get.side_effect = lost()
    with pytest.raises(PaymentRefusal) as caught:
        close_payments(order)
    assert caught.value.args[0] is texts.UNKNOWN


def test_a_total_in_cedis_and_whole_pesewas_is_payable() -> None:
    check_total(Price("GHS", excl_tax=Decimal("18.00"), tax=Decimal("0.00")))


@pytest.mark.parametrize(
    ("currency", "amount", "words"),
    [("USD", "18.00", "this order is in USD"), ("GHS", "18.005", "whole number of pesewas")],
)
def test_another_total_is_refused_with_a_sentence(currency: str, amount: str, words: str) -> None:
    with pytest.raises(UnableToTakePayment, match=words):
        check_total(Price(currency, excl_tax=Decimal(amount), tax=Decimal("0.00")))
