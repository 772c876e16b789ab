from __future__ import annotations

from decimal import Decimal
from html import unescape
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.db import transaction
from pretix.base.models import OrderRefund
from pretix.base.payment import PaymentException
from tua_pay import TuaUsageError

from tua_pay_pretix.models import LOST, Attempt, Refund
from tua_pay_pretix.payment import MobileMoney
from tua_pay_pretix.recording import record
from tua_pay_pretix.refunds import ask_refund, record_refund

from .conftest import checkout_of, conflict_with, flags_of, lost, refund_of, refusal


@pytest.fixture
def paid(attempt: Attempt) -> Attempt:
    record(attempt, checkout_of(attempt, "PAID"))
    attempt.payment.refresh_from_db()
    return attempt


def create_refund(paid: Attempt, amount: str = "9.00") -> Any:
    """A refund as pretix creates it."""
    return paid.payment.order.refunds.create(
        payment=paid.payment,
        provider="tua",
        source=OrderRefund.REFUND_SOURCE_ADMIN,
        state=OrderRefund.REFUND_STATE_CREATED,
        amount=Decimal(amount),
    )


@pytest.fixture
def execute(paid: Attempt, django_capture_on_commit_callbacks: Any) -> Any:
    """Refunds as pretix's button does: in a transaction, whose end sends the refund."""

    def execute(amount: str = "9.00") -> Any:
        with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
            made = create_refund(paid, amount)
            MobileMoney(paid.payment.order.event).execute_refund(made)
            assert made.state == "transit"
        made.refresh_from_db()
        return made

    return execute


def test_a_refund_is_made_once(paid: Attempt, execute: Any, tua: MagicMock) -> None:
    tua.refunds.create.return_value = refund_of("txn_r1", "SUCCESSFUL")
    made = execute()
    record_refund(made.tua_refund, refund_of("txn_r1", "SUCCESSFUL"))
    assert (made.state, made.info_data) == ("done", {"refund": "txn_r1"})
    assert tua.refunds.create.call_args.kwargs["amount"] == Decimal("9.00")
    assert tua.refunds.create.call_args.kwargs["transaction_id"] == paid.charge_id
    done = made.order.all_logentries().filter(action_type="pretix.event.order.refund.done")
    assert done.count() == 1
    paid.payment.refresh_from_db()
    assert paid.payment.state == "confirmed"


def test_the_refund_of_everything_refunds_the_payment(
    paid: Attempt, execute: Any, tua: MagicMock
) -> None:
    tua.refunds.create.return_value = refund_of("txn_r1", "SUCCESSFUL")
    execute("18.00")
    paid.payment.refresh_from_db()
    assert paid.payment.state == "refunded"


def test_a_refund_is_stored_before_its_request_is_sent(
    paid: Attempt, tua: MagicMock, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=False) as callbacks, transaction.atomic():
        MobileMoney(paid.payment.order.event).execute_refund(create_refund(paid))
    tua.refunds.create.assert_not_called()
    key = Refund.objects.get().idempotency_key
    tua.refunds.create.return_value = refund_of("txn_r1", "SUCCESSFUL")
    for callback in callbacks:
        callback()
    assert tua.refunds.create.call_args.kwargs["idempotency_key"] == key


def test_a_refund_that_could_not_be_stored_is_not_in_transit(
    paid: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shop was stopped between the two writes, and pretix began no transaction."""
    made = create_refund(paid)
    monkeypatch.setattr(Refund, "save", MagicMock(side_effect=ZeroDivisionError))
    with pytest.raises(ZeroDivisionError):
        MobileMoney(paid.payment.order.event).execute_refund(made)
    made.refresh_from_db()
    assert made.state == "created"


def test_a_refund_that_pretix_undoes_is_not_sent(
    paid: Attempt, tua: MagicMock, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            MobileMoney(paid.payment.order.event).execute_refund(create_refund(paid))
            raise ZeroDivisionError
    tua.refunds.create.assert_not_called()
    assert Refund.objects.count() == 0


def test_a_refund_whose_response_was_lost_is_in_transit(
    order: Any, execute: Any, tua: MagicMock
) -> None:
    tua.refunds.create.side_effect = lost()
    made = execute("10.00")
    assert (made.state, made.tua_refund.state) == ("transit", "PENDING")
    assert flags_of(order) == []
    # pretix counts it, so the rest alone can be refunded.
    assert order.payment_refund_sum == Decimal("8.00")


def test_a_refund_that_fails_moves_no_money(order: Any, execute: Any, tua: MagicMock) -> None:
    tua.refunds.create.return_value = refund_of("txn_r1", "FAILED")
    made = execute()
    record_refund(made.tua_refund, refund_of("txn_r1", "FAILED"))
    assert (made.state, made.tua_refund.state) == ("failed", "FAILED")
    assert order.payment_refund_sum == Decimal("18.00")
    [text] = flags_of(order)
    assert "failed, and no money moved" in text


def test_a_wrong_setting_fails_a_refund_of_which_nothing_was_sent(
    paid: Attempt, execute: Any
) -> None:
    paid.payment.order.event.settings.payment_tua_secret_key_test = ""
    assert execute().state == "failed"


def test_a_wrong_setting_does_not_fail_a_refund_that_may_have_been_sent(
    paid: Attempt, event: Any
) -> None:
    """The shop was stopped after it had sent the first request."""
    made = create_refund(paid)
    refund = paid.refunds.create(order_refund=made, amount=made.amount)
    event.settings.payment_tua_secret_key_test = ""
    with pytest.raises(TuaUsageError):
        ask_refund(refund)
    refund.refresh_from_db()
    assert refund.state == "PENDING"


def show_in_order(made: Any) -> str:
    """What people of the shop see beside a refund of pretix."""
    made = OrderRefund.objects.get(pk=made.pk)
    return unescape(MobileMoney(made.order.event).refund_control_render(MagicMock(), made))


def test_a_refund_whose_key_is_refused_names_the_reason(execute: Any, tua: MagicMock) -> None:
    tua.refunds.create.side_effect = refusal()
    made = execute()
    assert (made.state, made.tua_refund.state) == ("transit", "PENDING")
    assert "The key is not valid." in show_in_order(made)


def test_the_reason_is_gone_when_the_refund_has_begun(execute: Any, tua: MagicMock) -> None:
    tua.refunds.create.side_effect = refusal()
    made = execute()
    tua.refunds.create.side_effect = None
    tua.refunds.create.return_value = tua.refunds.wait.return_value = refund_of("txn_r1", "PENDING")
    ask_refund(made.tua_refund)
    assert "not valid" not in show_in_order(made)


def test_a_setting_that_is_wrong_when_a_refund_is_repeated_is_shown(
    paid: Attempt, event: Any
) -> None:
    made = create_refund(paid)
    refund = paid.refunds.create(order_refund=made, amount=made.amount)
    event.settings.payment_tua_secret_key_test = ""
    with pytest.raises(TuaUsageError) as wrong:
        ask_refund(refund)
    assert str(wrong.value) in show_in_order(made)


def test_the_mark_of_a_lost_refund_is_not_shown(paid: Attempt) -> None:
    made = create_refund(paid)
    paid.refunds.create(order_refund=made, amount=made.amount, message=LOST)
    assert LOST not in show_in_order(made)


def test_a_payment_without_money_is_not_refunded(payment: Any, attempt: Attempt) -> None:
    provider = MobileMoney(payment.order.event)
    assert not provider.payment_refund_supported(payment)
    with pytest.raises(PaymentException, match="can be refunded"):
        provider.execute_refund(create_refund(attempt))


def test_a_refund_that_people_cancelled_in_pretix_and_that_was_made_is_told(
    order: Any, execute: Any, tua: MagicMock
) -> None:
    tua.refunds.create.return_value = tua.refunds.wait.return_value = refund_of("txn_r1", "PENDING")
    made = execute()
    OrderRefund.objects.update(state="canceled")
    record_refund(made.tua_refund, refund_of("txn_r1", "SUCCESSFUL"))
    made.refresh_from_db()
    assert made.state == "done"
    [text] = flags_of(order)
    assert "was marked as cancelled here" in text


def test_a_refund_that_fails_after_it_was_made_is_told(
    order: Any, execute: Any, tua: MagicMock
) -> None:
    tua.refunds.create.return_value = refund_of("txn_r1", "SUCCESSFUL")
    made = execute()
    for _ in range(2):
        record_refund(made.tua_refund, refund_of("txn_r1", "FAILED"))
    made.refresh_from_db()
    assert made.state == "done"
    [text] = flags_of(order)
    assert "failed after it was reported as made" in text


@pytest.mark.parametrize("decision", ["SUCCESSFUL", "FAILED"])
@pytest.mark.parametrize("status", ["SUCCESSFUL", "FAILED"])
def test_what_people_decided_counts(paid: Attempt, status: str, decision: str) -> None:
    made = create_refund(paid)
    refund = paid.refunds.create(order_refund=made, amount=made.amount, refund_id="txn_r1")
    observed = "FAILED" if status == "SUCCESSFUL" else "SUCCESSFUL"
    record_refund(refund, refund_of("txn_r1", status, conflict_with(observed, decision)))
    refund.refresh_from_db()
    assert refund.state == decision


def test_a_conflict_is_told_once_and_counts_as_made(order: Any, paid: Attempt) -> None:
    made = create_refund(paid)
    refund = paid.refunds.create(order_refund=made, amount=made.amount, refund_id="txn_r1")
    for _ in range(2):
        record_refund(refund, refund_of("txn_r1", "FAILED", conflict_with("SUCCESSFUL")))
    refund.refresh_from_db()
    assert (refund.state, refund.order_refund.state) == ("SUCCESSFUL", "done")
    [text] = flags_of(order)
    assert "the operator contradicts the outcome of this refund" in text
