"""For the views of Oscar's checkout. A shop without views of its own installs the app
`tua_pay_oscar.checkout`; another one adds these classes to its views."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from oscar.apps.payment.exceptions import PaymentError, UnableToTakePayment
from tua_pay import TuaUsageError

from . import texts
from .attention import flag
from .checkouts import PaymentRefusal, begin_attempt
from .conf import CURRENCY, client, options
from .links import pay_path, status_path
from .models import Payment

METHOD = "tua"
"""What `checkout_session.pay_by` names this method."""


class TuaPaymentDetailsMixin:
    """Put it before Oscar's `PaymentDetailsView`. The order is placed first, in the status of an
    order that waits; then the payer is sent to the hosted page. So an order exists whatever happens
    to the browser of the payer. Oscar's e-mail about the order is sent when it is paid."""

    request: Any
    checkout_session: Any
    tua_order: Any = None
    is_waiting_for_tua = False

    def is_tua_payment(self) -> bool:
        """Whether the shopper chose mobile money. A shop with several methods calls
        `checkout_session.pay_by("tua")`, or overrides this."""
        return self.checkout_session.payment_method() in (None, METHOD)

    def handle_payment(self, order_number: str, total: Any, **kwargs: Any) -> None:
        if total.incl_tax <= 0 or not self.is_tua_payment():
            super().handle_payment(order_number, total, **kwargs)  # type: ignore[misc]
            return
        check_total(total)
        if not self._email():
            raise UnableToTakePayment(texts.NO_EMAIL)
        try:
            with client():
                self.is_waiting_for_tua = True
        except TuaUsageError as error:
            raise PaymentError(str(error)) from error

    def _email(self) -> str:
        if self.request.user.is_authenticated:
            return self.request.user.email or ""
        return self.checkout_session.get_guest_email() or ""

    def get_initial_order_status(self, basket: Any) -> str | None:
        if self.is_waiting_for_tua:
            return options().waiting_status
        return super().get_initial_order_status(basket)  # type: ignore[misc]

    def handle_successful_order(self, order: Any) -> HttpResponse:
        if self.is_waiting_for_tua:
            self._begin(order)
        return super().handle_successful_order(order)  # type: ignore[misc]

    def _begin(self, order: Any) -> None:
        """Stores the first attempt. The order exists by now, so nothing may fail here."""
        try:
            begin_attempt(order, self.request.build_absolute_uri(status_path(order)))
        except PaymentRefusal as refusal:
            # Code of the shop has paid the order with another source.
            self.is_waiting_for_tua = False
            flag(order, refusal.args[0])
        else:
            self.tua_order = order

    def send_order_placed_email(self, order: Any) -> None:
        if not self.is_waiting_for_tua:
            super().send_order_placed_email(order)  # type: ignore[misc]

    def get_success_url(self) -> str:
        if self.tua_order is not None:
            return pay_path(self.tua_order)
        return super().get_success_url()  # type: ignore[misc]


def check_total(total: Any) -> None:
    """Raises UnableToTakePayment, with a sentence, for a total that mobile money cannot pay."""
    if total.currency != CURRENCY:
        raise UnableToTakePayment(texts.OTHER_CURRENCY % {"currency": total.currency})
    if total.incl_tax != round(total.incl_tax, 2):
        raise UnableToTakePayment(texts.NOT_PESEWAS)


class TuaThankYouMixin:
    """Put it before Oscar's `ThankYouView`, which says that an e-mail was sent: an order that waits
    for its payment has another page."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        order = self.get_object()  # type: ignore[attr-defined]
        if order is not None and is_waiting(order):
            return HttpResponseRedirect(status_path(order))
        return super().get(request, *args, **kwargs)  # type: ignore[misc]


def is_waiting(order: Any) -> bool:
    """Whether an order waits for a payment of this method."""
    is_ours = Payment.objects.filter(order=order).exists()
    return is_ours and order.status == options().waiting_status
