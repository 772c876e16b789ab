"""The views of Oscar's checkout that have to do with payment."""

from __future__ import annotations

from oscar.apps.checkout.views import PaymentDetailsView as CorePaymentDetailsView
from oscar.apps.checkout.views import ThankYouView as CoreThankYouView

from ..checkout_views import TuaPaymentDetailsMixin, TuaThankYouMixin


class PaymentDetailsView(TuaPaymentDetailsMixin, CorePaymentDetailsView):
    template_name = "tua_pay_oscar/payment_details.html"


class ThankYouView(TuaThankYouMixin, CoreThankYouView):
    pass
