from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.test import Client
from django.utils.timezone import now
from pretix.base.models import Order, OrderRefund
from tua_pay.testing import sign_delivery

from tua_pay_pretix.events import _record_external
from tua_pay_pretix.links import frame_url, order_url, pay_url, return_url
from tua_pay_pretix.models import Attempt, Refund
from tua_pay_pretix.recording import record, record_unknown

from .conftest import (
    LIVE_SECRET,
    TEST_SECRET,
    add_attempt,
    add_payment,
    checkout_of,
    conflict_with,
    create_event,
    create_order,
    deliver,
    event_of,
    flags_of,
    lost,
    refund_of,
    webhook_path,
)


def paid_event(attempt: Attempt, mode: str = "test") -> dict[str, Any]:
    charge = event_of("checkout.paid")["data"]["transaction"]
    told = {"checkoutId": attempt.checkout_id, "amount": 18.00, "mode": mode}
    return event_of("checkout.paid", **told, transaction=charge)


@pytest.fixture
def send(client: Client, event: Any, attempt: Attempt) -> Any:
    """Sends an event about the attempt, twice."""

    def send(type: str, **data: Any) -> None:
        told = {"checkoutId": attempt.checkout_id} | data
        for _ in range(2):
            delivery = sign_delivery(TEST_SECRET, event_of(type, **told))
            assert deliver(client, webhook_path(event), delivery) == 204

    return send


@pytest.fixture
def paid(attempt: Attempt) -> Attempt:
    record(attempt, checkout_of(attempt, "PAID"))
    return attempt


def follow(client: Client, url: str) -> Any:
    return client.get(url.removeprefix("http://example.com"), follow=True)


@pytest.mark.parametrize("make_url", [pay_url, frame_url, return_url])
def test_an_address_of_another_order_is_not_found(
    client: Client, event: Any, payment: Any, make_url: Any
) -> None:
    other = add_payment(create_order(event, "TUA02"))
    url = make_url(payment).replace(f"/{payment.pk}/", f"/{other.pk}/")
    assert follow(client, url).status_code == 404
    url = make_url(payment).replace("/TUA01/", "/TUA02/")
    assert follow(client, url).status_code == 404
    url = make_url(add_payment(payment.order, "manual"))
    assert follow(client, url).status_code == 404


def test_the_page_of_an_unknown_outcome_offers_no_second_payment(
    client: Client, payment: Any, attempt: Attempt
) -> None:
    """Nothing listens at the address of Tua that the event has."""
    text = follow(client, return_url(payment)).text
    assert "not known yet whether the payment has arrived" in text
    assert "Pay with mobile money" not in text
    assert "choose another payment method" not in text
    assert "Ask again" in text
    payment.refresh_from_db()
    assert payment.state == "pending"


def test_the_next_answer_offers_the_payment_again(
    client: Client, payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    tua.checkouts.get.side_effect = [lost(), checkout_of(attempt, "OPEN")]
    follow(client, order_url(payment.order))
    text = follow(client, order_url(payment.order)).text
    assert "Pay with mobile money" in text
    assert "choose another payment method" in text


def test_an_attempt_that_ended_meanwhile_does_not_make_its_payment_pending(
    payment: Any, attempt: Attempt
) -> None:
    """Nothing would set it back."""
    record(Attempt.objects.get(pk=attempt.pk), checkout_of(attempt, "EXPIRED"))
    record_unknown(attempt)
    payment.refresh_from_db()
    assert payment.state == "created"


@pytest.mark.parametrize(
    ("status", "words", "offers"),
    [
        ("OPEN", "The order is not paid yet", True),
        ("PENDING", "not confirmed yet. Please do not pay again", False),
        ("EXPIRED", "not paid in time. No money moved", True),
    ],
)
def test_the_page_of_an_order_asks_tua(
    client: Client,
    payment: Any,
    attempt: Attempt,
    tua: MagicMock,
    status: str,
    words: str,
    offers: bool,
) -> None:
    tua.checkouts.get.return_value = checkout_of(attempt, status)
    for url in (order_url(payment.order), return_url(payment)):
        text = follow(client, url).text
        assert text.count(words) == 1
        assert ("Pay with mobile money" in text) is offers
        assert ("choose another payment method" in text) is offers


def test_a_payer_who_comes_back_before_the_webhook_sees_the_order_paid(
    client: Client, payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    tua.checkouts.get.return_value = checkout_of(attempt, "PAID")
    response = follow(client, return_url(payment))
    assert "We successfully received your payment" in response.text
    assert response.redirect_chain[-1][0].endswith("?paid=yes")


def test_a_payer_of_a_cancelled_order_reads_that_the_money_has_arrived(
    client: Client, order: Any, payment: Any, attempt: Attempt, tua: MagicMock
) -> None:
    Order.objects.update(status=Order.STATUS_CANCELED)
    tua.checkouts.get.return_value = checkout_of(attempt, "PAID")
    text = follow(client, return_url(payment)).text
    assert "Thank you. The payment has arrived" in text
    assert "We successfully received your payment" not in text


def test_a_payer_in_a_frame_opens_the_hosted_page_in_a_window(client: Client, payment: Any) -> None:
    response = follow(client, frame_url(payment))
    assert f'href="{pay_url(payment)}"' in response.text
    assert 'target="_blank"' in response.text
    assert "X-Frame-Options" not in response


@pytest.mark.parametrize("is_live", [True, False])
def test_a_webhook_is_verified(client: Client, event: Any, attempt: Attempt, is_live: bool) -> None:
    """Also one for a shop that people have taken offline."""
    event.live = is_live
    event.save()
    path = webhook_path(event)
    order = attempt.payment.order
    for secret in ("whsec_" + "C" * 32, LIVE_SECRET):
        assert deliver(client, path, sign_delivery(secret, paid_event(attempt))) == 400
    order.refresh_from_db()
    assert order.status == Order.STATUS_PENDING
    event.settings.payment_tua_webhook_secret_test = f"{'whsec_' + 'C' * 32} {TEST_SECRET}"
    assert deliver(client, path, sign_delivery(TEST_SECRET, paid_event(attempt))) == 204
    order.refresh_from_db()
    assert order.status == Order.STATUS_PAID
    assert client.get(path).status_code == 405


def test_a_webhook_without_a_secret_in_the_settings_is_refused(
    client: Client, event: Any, attempt: Attempt
) -> None:
    event.settings.payment_tua_webhook_secret_test = ""
    delivery = sign_delivery(TEST_SECRET, paid_event(attempt))
    assert deliver(client, webhook_path(event), delivery) == 404


def test_the_secret_of_one_mode_pays_no_order_of_the_other(
    client: Client, event: Any, order: Any, payment: Any
) -> None:
    attempt = add_attempt(payment, mode="live")
    delivery = sign_delivery(TEST_SECRET, paid_event(attempt, "live"))
    assert deliver(client, webhook_path(event), delivery) == 204
    order.refresh_from_db()
    assert order.status == Order.STATUS_PENDING
    delivery = sign_delivery(LIVE_SECRET, paid_event(attempt, "live"))
    assert deliver(client, webhook_path(event, "live"), delivery) == 204
    order.refresh_from_db()
    assert order.status == Order.STATUS_PAID


def test_the_secret_of_one_event_pays_no_order_of_another(
    client: Client, event: Any, order: Any, attempt: Attempt
) -> None:
    other = create_event(event.organizer, "other")
    delivery = sign_delivery(TEST_SECRET, paid_event(attempt))
    assert deliver(client, webhook_path(other), delivery) == 204
    order.refresh_from_db()
    assert order.status == Order.STATUS_PENDING


@pytest.mark.parametrize(
    "type", ["ping", "checkout.opened", "payout.successful", "charge.failed", "refund.pending"]
)
def test_other_events_are_taken_and_ignored(
    client: Client, event: Any, attempt: Attempt, type: str
) -> None:
    assert deliver(client, webhook_path(event), sign_delivery(TEST_SECRET, type)) == 204


@pytest.mark.parametrize("type", ["charge.pending", "checkout.attempt_failed"])
def test_an_event_that_may_be_old_is_a_reason_to_ask(
    payment: Any, attempt: Attempt, tua: MagicMock, send: Any, type: str
) -> None:
    tua.checkouts.get.return_value = checkout_of(attempt, "PENDING")
    send(type, status="PENDING" if type == "charge.pending" else "OPEN")
    payment.refresh_from_db()
    assert payment.state == "pending"


def test_an_expired_checkout_is_over(attempt: Attempt, send: Any) -> None:
    send("checkout.expired")
    attempt.refresh_from_db()
    assert attempt.state == "OVER"


def test_a_conflict_of_the_charge_that_paid_is_told_once(
    order: Any, paid: Attempt, send: Any
) -> None:
    send("charge.conflict", transactionId=paid.charge_id)
    [text] = flags_of(order)
    assert "the operator contradicts the outcome" in text


def test_another_charge_that_brought_money_too_is_told_once(
    order: Any, paid: Attempt, send: Any
) -> None:
    send("charge.conflict", transactionId="txn_first", conflict=conflict_with("SUCCESSFUL"))
    send("charge.successful", transactionId="txn_first")
    send("charge.successful", transactionId=paid.charge_id)
    [text] = flags_of(order)
    assert "txn_first: the operator reports this charge as paid, and another" in text


def test_a_webhook_ends_a_refund(order: Any, paid: Attempt, send: Any) -> None:
    made = order.refunds.create(
        payment=paid.payment, provider="tua", state="transit", source="admin", amount=9
    )
    paid.refunds.create(order_refund=made, amount=9, refund_id="txn_r1")
    send("refund.successful", refundId="txn_r1", transactionId=paid.charge_id)
    made.refresh_from_db()
    assert made.state == "done"
    assert order.refunds.count() == 1


def test_a_refund_in_the_dashboard_of_tua_is_an_external_refund(
    order: Any, paid: Attempt, send: Any
) -> None:
    send("refund.successful", refundId="txn_r9", transactionId=paid.charge_id, amount=9.00)
    made = order.refunds.get()
    assert (made.state, made.amount) == (OrderRefund.REFUND_STATE_EXTERNAL, Decimal("9.00"))
    assert Refund.objects.get().refund_id == "txn_r9"


def test_two_deliveries_at_the_same_moment_are_one_external_refund(
    order: Any, paid: Attempt
) -> None:
    """Both have found that the refund is of nobody here."""
    outcome = refund_of("txn_r9", "SUCCESSFUL")
    for _ in range(2):
        _record_external(paid, outcome)
    assert order.refunds.count() == 1


@pytest.fixture
def waiting(order: Any, paid: Attempt) -> Refund:
    """A refund whose response is not here yet."""
    made = order.refunds.create(
        payment=paid.payment, provider="tua", state="transit", source="admin", amount=9
    )
    return paid.refunds.create(order_refund=made, amount=9)


def test_a_refund_in_the_dashboard_is_delivered_again_while_it_may_be_another(
    client: Client, event: Any, order: Any, paid: Attempt, waiting: Refund, send: Any
) -> None:
    told = {"refundId": "txn_r9", "transactionId": paid.charge_id, "amount": 9.00}
    delivery = sign_delivery(TEST_SECRET, event_of("refund.successful", **told))
    assert deliver(client, webhook_path(event), delivery) == 500
    assert order.refunds.count() == 1
    # The periodic task has repeated the request.
    Refund.objects.filter(pk=waiting.pk).update(refund_id="txn_r1")
    send("refund.successful", **told)
    assert [each.state for each in order.refunds.all()] == ["transit", "external"]


def test_a_refund_whose_response_came_later_is_no_external_refund(
    client: Client, event: Any, order: Any, paid: Attempt, waiting: Refund, send: Any
) -> None:
    told = {"refundId": "txn_r1", "transactionId": paid.charge_id, "amount": 9.00}
    delivery = sign_delivery(TEST_SECRET, event_of("refund.successful", **told))
    assert deliver(client, webhook_path(event), delivery) == 500
    Refund.objects.filter(pk=waiting.pk).update(refund_id="txn_r1")
    send("refund.successful", **told)
    assert [each.state for each in order.refunds.all()] == ["done"]


def test_a_refund_that_nobody_repeats_any_more_hides_no_other(
    order: Any, paid: Attempt, waiting: Refund, send: Any
) -> None:
    Refund.objects.update(created_at=now() - timedelta(days=7))
    send("refund.successful", refundId="txn_r9", transactionId=paid.charge_id, amount=9.00)
    assert [each.state for each in order.refunds.all()] == ["transit", "external"]
