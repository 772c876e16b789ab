from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import resolve, reverse
from tua_pay.testing import sign_delivery

from tua_pay_oscar.links import order_token, status_path
from tua_pay_oscar.models import Payment
from tua_pay_oscar.recording import record
from tua_pay_oscar.refunds import record_refund

from .conftest import checkout_of, deliver, errors_of, event_of, refund_of


def test_every_page_that_asks_tua_is_outside_of_transactions(order: Any) -> None:
    names = {"number": order.number, "token": order_token(order.number)}
    paths = [
        reverse("tua:webhook"),
        reverse("tua:pay", kwargs=names),
        reverse("tua:status", kwargs=names),
        reverse("dashboard:order-detail", kwargs={"number": order.number}),
        reverse("dashboard:order-list"),
    ]
    for path in paths:
        assert getattr(resolve(path).func, "_non_atomic_requests", set()) == {"default"}, path


@pytest.mark.parametrize("name", ["tua:pay", "tua:status"])
def test_a_page_with_the_token_of_another_order_is_not_found(
    client: Client, order: Any, name: str
) -> None:
    kwargs = {"number": order.number, "token": order_token("100002")}
    assert client.get(reverse(name, kwargs=kwargs)).status_code == 404


def test_the_page_of_an_unknown_outcome_promises_nothing(client: Client, payment: Payment) -> None:
    """Nothing listens at the address of Tua that the test settings have."""
    response = client.get(status_path(payment.order))
    assert "not known yet whether the payment has arrived" in response.text
    assert "Pay with mobile money" not in response.text
    assert response["Refresh"].startswith("10;")
    assert "no-store" in response["Cache-Control"]


def test_a_payer_with_another_browser_sees_the_order_paid(client: Client, payment: Payment) -> None:
    record(checkout_of(payment, "PAID"))
    assert "The order is paid" in client.get(status_path(payment.order)).text


def test_the_address_of_an_order_outlives_a_new_secret_key(
    client: Client, payment: Payment, settings: Any
) -> None:
    path = status_path(payment.order)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-secret-for-tests"
    assert status_path(payment.order) != path
    assert client.get(path).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert client.get(path).status_code == 404


def keep_order(client: Client, order: Any) -> None:
    """The browser in which the order was placed."""
    session = client.session
    session["checkout_order_id"] = order.pk
    session.save()


def test_the_payer_of_a_paid_order_is_thanked(client: Client, order: Any, payment: Payment) -> None:
    record(checkout_of(payment, "PAID"))
    keep_order(client, order)
    response = client.get(status_path(order))
    assert response["Location"] == reverse("checkout:thank-you")


def test_a_paid_order_that_still_waits_redirects_nowhere(
    client: Client, order: Any, payment: Payment, settings: Any
) -> None:
    settings.TUA = settings.TUA | {"PAID_STATUS": "Shipped"}
    record(checkout_of(payment, "PAID"))
    keep_order(client, order)
    assert "The order is paid" in client.get(status_path(order)).text


def test_a_payment_after_the_order_was_cancelled_is_not_thanked_for(
    client: Client, order: Any, payment: Payment
) -> None:
    order.set_status("Cancelled")
    record(checkout_of(payment, "PAID"))
    keep_order(client, order)
    text = client.get(status_path(order)).text
    assert "Your payment has arrived, and the order was cancelled" in text


def test_an_order_whose_money_was_returned_is_not_called_paid(
    client: Client, order: Any, payment: Payment
) -> None:
    record(checkout_of(payment, "PAID"))
    refund = payment.refunds.create(amount="18.00", refund_id="txn_r1")
    refund.refresh_from_db()
    record_refund(refund, refund_of("txn_r1", "SUCCESSFUL"))
    assert "was returned" in client.get(status_path(order)).text


def test_a_payer_can_pay_the_rest(client: Client, order: Any, payment: Payment) -> None:
    record(checkout_of(payment, "PAID", amount="10.00"))
    keep_order(client, order)
    text = client.get(status_path(order)).text
    assert "A part of the order is not paid yet" in text
    assert "Pay with mobile money" in text


def test_a_webhook_is_verified(client: Client, order: Any, payment: Payment, settings: Any) -> None:
    charge = event_of("checkout.paid")["data"]["transaction"]
    event = event_of(
        "checkout.paid", checkoutId=payment.checkout_id, amount=18.00, transaction=charge
    )
    wrong = "whsec_" + "C" * 32
    assert deliver(client, sign_delivery(wrong, event)) == 400
    assert order.sources.count() == 0
    secret = settings.TUA["WEBHOOK_SECRET"]
    settings.TUA = settings.TUA | {"WEBHOOK_SECRET": [wrong, secret]}
    assert deliver(client, sign_delivery(secret, event)) == 204
    assert order.sources.count() == 1
    assert client.get(reverse("tua:webhook")).status_code == 405


@pytest.mark.parametrize("type", ["ping", "checkout.opened", "payout.successful", "charge.failed"])
def test_other_events_are_taken_and_ignored(
    client: Client, payment: Payment, settings: Any, type: str
) -> None:
    secret = settings.TUA["WEBHOOK_SECRET"]
    assert deliver(client, sign_delivery(secret, type)) == 204


def test_a_refund_that_fails_later_is_told_once(
    client: Client, order: Any, payment: Payment, settings: Any
) -> None:
    record(checkout_of(payment, "PAID"))
    refund = payment.refunds.create(amount="9.00", refund_id="txn_r1")
    event = event_of("refund.failed", refundId="txn_r1")
    for _ in range(2):
        assert deliver(client, sign_delivery(settings.TUA["WEBHOOK_SECRET"], event)) == 204
    refund.refresh_from_db()
    assert refund.state == "FAILED"
    assert len(errors_of(order)) == 1


def test_the_migrations_are_complete(db: Any) -> None:
    call_command("makemigrations", "tua_pay_oscar", check=True, dry_run=True, stdout=StringIO())
