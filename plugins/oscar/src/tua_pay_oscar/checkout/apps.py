"""Oscar's checkout with mobile money, for shops without views of their own."""

from __future__ import annotations

from oscar.apps.checkout.apps import CheckoutConfig as CoreCheckoutConfig


class CheckoutConfig(CoreCheckoutConfig):
    name = "tua_pay_oscar.checkout"
