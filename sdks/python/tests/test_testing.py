"""What the package offers to the tests of a shop."""

from __future__ import annotations

import base64
import os

import pytest

from tua_pay import CheckoutEvent, Status, Tua, TuaUsageError, Webhook
from tua_pay.testing import example_event, running_service, sign_delivery

SECRET = "whsec_" + base64.b64encode(b"t" * 32).decode()


@pytest.mark.parametrize("type", ["checkout.paid", "charge.failed", "refund.successful", "payout.reversed", "ping"])
def test_an_example_is_a_delivery_that_is_verified(type: str) -> None:
    delivery = sign_delivery(SECRET, type)
    assert Webhook(SECRET).verify(delivery.body, delivery.headers).type == type


def test_a_body_of_your_own_is_signed() -> None:
    paid = example_event("checkout.paid")
    paid["data"]["reference"] = "order-18"
    delivery = sign_delivery(SECRET, paid)
    event = Webhook(SECRET).verify(delivery.body, delivery.headers)
    assert isinstance(event, CheckoutEvent) and event.data.reference == "order-18"
    with pytest.raises(TuaUsageError):
        example_event("checkout.sung")


def test_a_program_that_is_not_there_is_an_error() -> None:
    with pytest.raises(TuaUsageError), running_service(program="/no/such/program"):
        pass


def test_a_variable_that_is_empty_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUA_BIN", "")
    monkeypatch.setenv("PATH", "/no/such/folder")
    with pytest.raises(TuaUsageError, match=r"^tua does not start"), running_service():
        pass


@pytest.mark.skipif("TUA_BIN" not in os.environ, reason="TUA_BIN is not set")
def test_a_service_is_started_with_one_call() -> None:
    with running_service() as service, Tua(secret_key=service.secret_key, base_url=service.base_url) as tua:
        charge = tua.charges.create(amount="18.00", phone_number="0241234567", network="MTN")
        assert tua.transactions.wait(charge.transaction_id).status is Status.SUCCESSFUL
        assert service.add_webhook("http://127.0.0.1:9/").startswith("whsec_")
