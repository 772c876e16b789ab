from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from oscar.apps.payment.exceptions import PaymentError, UnableToTakePayment
from oscar.core.prices import Price
from oscar.test.factories import SourceFactory

from tua_pay_oscar.checkout_views import TuaPaymentDetailsMixin
from tua_pay_oscar.links import pay_path, status_path

from .conftest import errors_of


class CoreView:
    """What the class adds to: a view of Oscar that takes other payments."""

    def __init__(self, method: str | None = None, email: str = "ama@example.com") -> None:
        self.did: list[str] = []
        self.request = SimpleNamespace(
            user=SimpleNamespace(is_authenticated=False),
            build_absolute_uri=lambda path: f"https://shop.example{path}",
        )
        self.checkout_session = SimpleNamespace(
            payment_method=lambda: method, get_guest_email=lambda: email
        )

    def handle_payment(self, _order_number: str, _total: Any) -> None:
        self.did.append("other payment")

    def get_initial_order_status(self, _basket: Any) -> str:
        return "Pending"

    def handle_successful_order(self, order: Any) -> str:
        self.send_order_placed_email(order)
        return self.get_success_url()

    def send_order_placed_email(self, _order: Any) -> None:
        self.did.append("e-mail")

    def get_success_url(self) -> str:
        return "/checkout/thank-you/"


class View(TuaPaymentDetailsMixin, CoreView):
    pass


def total(amount: str = "18.00", currency: str = "GHS") -> Price:
    return Price(currency, excl_tax=Decimal(amount), tax=Decimal("0.00"))


@pytest.mark.parametrize("method", [None, "tua"])
def test_an_order_waits_without_an_email_and_the_payer_is_sent_on(
    order: Any, method: str | None
) -> None:
    view = View(method)
    view.handle_payment(order.number, total())
    assert view.get_initial_order_status(None) == "Waiting for payment"
    assert view.handle_successful_order(order) == pay_path(order)
    payment = order.tua_payments.get()
    assert (payment.state, payment.mode, payment.checkout_id) == ("NEW", "test", None)
    assert payment.return_url == f"https://shop.example{status_path(order)}"
    assert view.did == []


@pytest.mark.parametrize(("method", "amount"), [("card", "18.00"), (None, "0.00")])
def test_another_method_and_a_free_order_are_left_to_the_shop(
    order: Any, method: str | None, amount: str
) -> None:
    view = View(method)
    view.handle_payment(order.number, total(amount))
    assert view.get_initial_order_status(None) == "Pending"
    assert view.handle_successful_order(order) == "/checkout/thank-you/"
    assert view.did == ["other payment", "e-mail"]
    assert order.tua_payments.count() == 0


def test_an_order_that_another_source_has_paid_is_not_lost(order: Any) -> None:
    view = View()
    view.handle_payment(order.number, total())
    SourceFactory(order=order, amount_debited=Decimal("18.00"))
    assert view.handle_successful_order(order) == "/checkout/thank-you/"
    assert view.did == ["e-mail"]
    assert len(errors_of(order)) == 1


def test_an_order_without_an_email_address_is_refused() -> None:
    with pytest.raises(UnableToTakePayment, match="e-mail address"):
        View(email="").handle_payment("100001", total())


def test_a_wrong_key_is_refused_before_the_order_is_placed(settings: Any) -> None:
    settings.TUA = settings.TUA | {"SECRET_KEY": "tua_test_v2_ with a space"}
    view = View()
    with pytest.raises(PaymentError, match="not a secret key of Tua"):
        view.handle_payment("100001", total())
    assert not view.is_waiting_for_tua
