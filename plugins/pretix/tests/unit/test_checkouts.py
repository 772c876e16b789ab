from __future__ import annotations

from decimal import Decimal
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.db import connection
from pretix.base.models import Order, OrderPayment
from pretix.base.payment import PaymentException
from tua_pay import CheckoutStatus, OpenedCheckout, TuaApiError
from tua_pay.errors import Problem

from tua_pay_pretix import texts
from tua_pay_pretix.checkouts import ask, begin_attempt, open_checkout
from tua_pay_pretix.closing import PaymentRefusal, close_attempts
from tua_pay_pretix.models import Attempt
from tua_pay_pretix.payment import MobileMoney
from tua_pay_pretix.recording import record

from .conftest import add_attempt, add_payment, charge_of, checkout_of, lost, unpaid_of

RETURN_URL = "https://shop.example/return"


def opened(checkout_id: str) -> OpenedCheckout:
    return OpenedCheckout(
        checkoutId=checkout_id,
        checkoutToken="tua_checkout_x",
        expiresAt="2026-11-27T10:00:00.000Z",
        reference="SUMMIT-TUA01-P-1",
        url=f"https://pay.example/{checkout_id}",
    )


def api_error(code: str) -> TuaApiError:
    problem = Problem(422, code, "", "", None, ())
    return TuaApiError(problem, None, outcome_unknown=False, idempotency_key="key")


def refusal_of(payment: Any) -> Any:
    with pytest.raises(PaymentRefusal) as caught:
        open_checkout(payment, RETURN_URL)
    return caught.value.args[0]


def test_an_attempt_is_repeated_with_the_same_key(payment: Any, tua: MagicMock) -> None:
    tua.checkouts.create.side_effect = lost()
    assert refusal_of(payment) is texts.NOTHING_BEGAN
    attempt = payment.tua_attempts.get()
    tua.checkouts.create.side_effect = [opened("chk_1")]
    tua.checkouts.get.return_value = checkout_of(Attempt(checkout_id="chk_1"), "OPEN")
    assert open_checkout(payment, "https://shop.example/other") == "https://pay.example/chk_1"
    first, second = tua.checkouts.create.call_args_list
    assert first == second
    assert first.kwargs["idempotency_key"] == attempt.idempotency_key
    assert first.kwargs["amount"] == Decimal("18.00")
    assert first.kwargs["reference"] == "SUMMIT-TUA01-P-1"


def test_an_attempt_that_tua_refuses_is_not_repeated(payment: Any, tua: MagicMock) -> None:
    """Its return address was wrong, and the settings of the shop were mended then."""
    tua.checkouts.create.side_effect = api_error("invalid_url")
    assert refusal_of(payment) is texts.NOTHING_BEGAN
    tua.checkouts.create.side_effect = [opened("chk_1")]
    tua.checkouts.get.return_value = checkout_of(Attempt(checkout_id="chk_1"), "OPEN")
    assert open_checkout(payment, "https://shop.example/mended") == "https://pay.example/chk_1"
    first, second = tua.checkouts.create.call_args_list
    assert second.kwargs["return_url"] == "https://shop.example/mended"
    assert first.kwargs["idempotency_key"] != second.kwargs["idempotency_key"]


def test_nothing_is_said_about_money_after_the_payer_had_the_address(
    payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    tua.checkouts.get.side_effect = lost()
    assert refusal_of(payment) is texts.UNKNOWN


@pytest.mark.parametrize("is_test", [True, False])
def test_the_mode_of_the_order_selects_the_key(payment: Any, tua: MagicMock, is_test: bool) -> None:
    Order.objects.update(testmode=is_test)
    payment.order.refresh_from_db()
    tua.checkouts.create.side_effect = lost()
    refusal_of(payment)
    mode = "test" if is_test else "live"
    assert (tua.mode, payment.tua_attempts.get().mode) == (mode, mode)


def test_an_expired_checkout_is_followed_by_another(
    payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    next_one = Attempt(checkout_id="chk_2")
    tua.checkouts.get.side_effect = [checkout_of(attempt, "EXPIRED"), checkout_of(next_one, "OPEN")]
    tua.checkouts.create.side_effect = [opened("chk_2")]
    assert open_checkout(payment, RETURN_URL) == "https://pay.example/chk_2"
    assert [each.state for each in payment.tua_attempts.all()] == ["OVER", "OPEN"]


@pytest.mark.parametrize(
    ("status", "sentence"),
    [("PENDING", texts.NOT_CONFIRMED), ("PAID", texts.ALREADY_PAID)],
)
def test_nothing_begins_while_a_payment_is_under_way(
    payment: Any, attempt: Attempt, tua: MagicMock, status: str, sentence: Any
) -> None:
    tua.checkouts.get.return_value = checkout_of(attempt, status)
    assert refusal_of(payment) is sentence
    tua.checkouts.create.assert_not_called()


def test_a_checkout_whose_money_did_not_arrive_is_followed_by_another(
    payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    next_one = Attempt(checkout_id="chk_2")
    tua.checkouts.get.side_effect = [unpaid_of(attempt), checkout_of(next_one, "OPEN")]
    tua.checkouts.create.side_effect = [opened("chk_2")]
    assert open_checkout(payment, RETURN_URL) == "https://pay.example/chk_2"
    assert [each.state for each in payment.tua_attempts.all()] == ["OVER", "OPEN"]


def test_nothing_begins_while_another_charge_of_such_a_checkout_is_pending(
    payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    pending = charge_of(attempt.checkout_id, "PENDING", failure=None)
    tua.checkouts.get.return_value = unpaid_of(attempt, transaction=pending)
    assert refusal_of(payment) is texts.NOT_CONFIRMED


def test_a_checkout_whose_money_did_not_arrive_is_closed(attempt: Attempt, tua: MagicMock) -> None:
    tua.checkouts.get.return_value = unpaid_of(attempt)
    close_attempts([attempt])
    attempt.refresh_from_db()
    assert attempt.state == "OVER"
    tua.checkouts.close.assert_not_called()


@pytest.mark.parametrize(
    ("status", "sentence"),
    [("PENDING", texts.NOT_CONFIRMED), ("PAID", texts.ALREADY_PAID)],
)
def test_nothing_begins_while_another_payment_of_the_order_is_under_way(
    order: Any, attempt: Attempt, tua: MagicMock, status: str, sentence: Any
) -> None:
    """pretix creates the second payment also where the first one could not be cancelled."""
    second = add_payment(order)
    tua.checkouts.get.return_value = checkout_of(attempt, status)
    assert refusal_of(second) is sentence
    tua.checkouts.create.assert_not_called()


@pytest.mark.parametrize("state", ["NEW", "OPEN"])
def test_nothing_begins_after_another_payment_has_begun_meanwhile(
    order: Any, payment: Any, state: str
) -> None:
    """Two tabs have closed what was open, and then begin two payments of pretix."""
    begin_attempt(payment, RETURN_URL)
    Attempt.objects.update(state=state)
    second = add_payment(order)
    with pytest.raises(PaymentRefusal) as caught:
        begin_attempt(second, RETURN_URL)
    assert caught.value.args[0] is texts.UNKNOWN
    assert second.tua_attempts.count() == 0
    Attempt.objects.update(state="OVER")
    assert begin_attempt(second, RETURN_URL).payment == second


def test_the_checkout_of_an_earlier_payment_is_closed_first(
    order: Any, attempt: Attempt, tua: MagicMock
) -> None:
    second = add_payment(order)
    tua.checkouts.get.side_effect = [
        checkout_of(attempt, "OPEN"),
        checkout_of(Attempt(checkout_id="chk_2"), "OPEN"),
    ]
    tua.checkouts.close.return_value = checkout_of(attempt, "CLOSED")
    tua.checkouts.create.side_effect = [opened("chk_2")]
    assert open_checkout(second, RETURN_URL) == "https://pay.example/chk_2"
    tua.checkouts.close.assert_called_once_with(attempt.checkout_id)
    attempt.refresh_from_db()
    assert attempt.state == "OVER"


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(Order.STATUS_PAID, texts.ALREADY_PAID), (Order.STATUS_CANCELED, texts.CANCELLED)],
)
def test_an_order_that_does_not_wait_begins_nothing(
    order: Any, payment: Any, tua: MagicMock, status: str, sentence: Any
) -> None:
    Order.objects.update(status=status)
    assert refusal_of(payment) is sentence
    tua.checkouts.create.assert_not_called()


def test_a_payment_that_was_cancelled_begins_nothing(payment: Any, tua: MagicMock) -> None:
    OrderPayment.objects.update(state="canceled")
    assert refusal_of(payment) is texts.NOT_WAITING


def test_an_order_that_is_cancelled_meanwhile_closes_its_checkout(
    order: Any, payment: Any, tua: MagicMock
) -> None:
    def cancel(**_request: Any) -> OpenedCheckout:
        Order.objects.update(status=Order.STATUS_CANCELED)
        return opened("chk_1")

    tua.checkouts.create.side_effect = cancel
    assert refusal_of(payment) is texts.NOT_WAITING
    tua.checkouts.close.assert_called_once_with("chk_1")
    assert payment.tua_attempts.get().state == "OVER"


def test_an_order_that_is_paid_meanwhile_is_said_to_be_paid(
    payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    def pay(**_request: Any) -> OpenedCheckout:
        record(attempt, checkout_of(attempt, "PAID"))
        return opened(str(attempt.checkout_id))

    tua.checkouts.get.return_value = checkout_of(attempt, "OPEN")
    tua.checkouts.create.side_effect = pay
    assert refusal_of(payment) is texts.ALREADY_PAID
    tua.checkouts.close.assert_not_called()


def test_what_tua_does_not_answer_is_not_known(attempt: Attempt, tua: MagicMock) -> None:
    tua.checkouts.get.side_effect = lost()
    assert ask(attempt) is None
    tua.checkouts.get.side_effect = [checkout_of(attempt, "OPEN")]
    assert ask(attempt) is CheckoutStatus.OPEN


def cancel(payment: Any) -> None:
    MobileMoney(payment.order.event).cancel_payment(payment)


def test_a_payment_that_is_cancelled_closes_its_checkout(
    payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    tua.checkouts.get.return_value = checkout_of(attempt, "OPEN")
    tua.checkouts.close.return_value = checkout_of(attempt, "CLOSED")
    cancel(payment)
    attempt.refresh_from_db()
    assert (payment.state, attempt.state) == ("canceled", "OVER")


def test_an_attempt_that_nobody_has_the_address_of_is_cancelled_without_a_question(
    payment: Any, tua: MagicMock
) -> None:
    attempt = add_attempt(payment, state="NEW", checkout_id=None)
    cancel(payment)
    attempt.refresh_from_db()
    assert (payment.state, attempt.state) == ("canceled", "OVER")
    tua.checkouts.get.assert_not_called()


@pytest.mark.parametrize("status", ["PENDING", "PAID"])
def test_a_payment_under_way_is_not_cancelled(
    payment: Any, attempt: Attempt, tua: MagicMock, status: str
) -> None:
    tua.checkouts.get.return_value = checkout_of(attempt, status)
    with pytest.raises(PaymentException, match="do not pay again"):
        cancel(payment)
    payment.refresh_from_db()
    assert payment.state == "created"
    tua.checkouts.close.assert_not_called()


def test_a_checkout_that_is_opened_meanwhile_is_closed(payment: Any, tua: MagicMock) -> None:
    """Its response comes after the cancellation has read the attempt."""
    attempt = add_attempt(payment, state="NEW", checkout_id=None)
    read = Attempt.objects.get(pk=attempt.pk)
    Attempt.objects.update(state="OPEN", checkout_id="chk_1")
    tua.checkouts.get.return_value = checkout_of(Attempt(checkout_id="chk_1"), "OPEN")
    tua.checkouts.close.return_value = checkout_of(Attempt(checkout_id="chk_1"), "CLOSED")
    close_attempts([read])
    tua.checkouts.close.assert_called_once_with("chk_1")
    attempt.refresh_from_db()
    assert attempt.state == "OVER"


def test_a_cancellation_that_the_stored_checkout_waits_for_closes_it(
    payment: Any, tua: MagicMock
) -> None:
    """The cancellation has the lock of the attempt when its checkout is to be stored."""
    is_cancelled = False

    def cancel_first(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal is_cancelled
        if sql.startswith("UPDATE") and '"checkout_id" = ' in sql and not is_cancelled:
            is_cancelled = True
            Attempt.objects.update(state="OVER")
            OrderPayment.objects.update(state="canceled")
        return execute(sql, *rest)

    tua.checkouts.create.side_effect = [opened("chk_1")]
    tua.checkouts.get.return_value = checkout_of(Attempt(checkout_id="chk_1"), "OPEN")
    with connection.execute_wrapper(cancel_first):
        assert refusal_of(payment) is texts.NOT_WAITING
    tua.checkouts.close.assert_called_once_with("chk_1")
    assert payment.tua_attempts.get().state == "OVER"


def test_a_payment_that_was_paid_meanwhile_stays_confirmed(payment: Any, attempt: Attempt) -> None:
    """pretix has read the payment before the money was recorded."""
    record(attempt, checkout_of(attempt, "PAID"))
    assert payment.state == "created"
    with pytest.raises(PaymentException, match="has arrived"):
        cancel(payment)
    payment.refresh_from_db()
    assert payment.state == "confirmed"


def test_a_payment_that_begins_while_it_is_closed_is_not_cancelled(
    payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    tua.checkouts.get.side_effect = [checkout_of(attempt, "OPEN"), checkout_of(attempt, "PENDING")]
    tua.checkouts.close.side_effect = api_error("charge_in_progress")
    with pytest.raises(PaymentException, match="not confirmed yet"):
        cancel(payment)


def test_what_is_not_known_is_not_cancelled(payment: Any, attempt: Attempt, tua: MagicMock) -> None:
    tua.checkouts.get.side_effect = lost()
    with pytest.raises(PaymentException, match="not known yet"):
        cancel(payment)
