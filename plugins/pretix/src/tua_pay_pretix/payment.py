"""The payment method of pretix."""

from __future__ import annotations

from collections import OrderedDict
from decimal import Decimal
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from pretix.base.models import OrderPayment
from pretix.base.payment import BasePaymentProvider, PaymentException

from . import settings_form, texts
from .checkouts import ARRIVED, ask, open_checkout
from .closing import PaymentRefusal, close_attempts
from .conf import CURRENCY, PROVIDER, Mode, is_set_up, mode_of
from .links import frame_url, pay_url, return_url
from .models import OPEN_STATES, Attempt
from .recording import record_unknown
from .refunds import begin_refund, paid_attempt
from .views import explain

_ASK_TIMEOUT = 5.0
"""How long the page of an order waits for Tua, in seconds."""


class MobileMoney(BasePaymentProvider):
    identifier = PROVIDER
    verbose_name = _("Mobile money (Tua)")
    public_name = _("Mobile money")
    abort_pending_allowed = False

    @property
    def test_mode_message(self) -> Any:
        return texts.TEST_MODE if is_set_up(self.event, "test") else texts.NOT_SET_UP

    @property
    def settings_form_fields(self) -> OrderedDict[str, Any]:
        own = settings_form.fields()
        return OrderedDict(list(own.items()) + list(super().settings_form_fields.items()))

    def settings_form_clean(self, cleaned_data: dict[str, Any]) -> dict[str, Any]:
        return settings_form.clean(self.settings, cleaned_data)

    def settings_content_render(self, request: HttpRequest) -> str:
        return settings_form.render_help(self.event)

    # Whether a shopper can choose it.

    def is_allowed(self, request: HttpRequest, total: Decimal | None = None) -> bool:
        mode: Mode = "test" if self.event.testmode else "live"
        return super().is_allowed(request, total) and self._is_possible(mode)

    def order_change_allowed(self, order: Any, request: HttpRequest | None = None) -> bool:
        return super().order_change_allowed(order, request) and self._is_possible(mode_of(order))

    def _is_possible(self, mode: Mode) -> bool:
        return self.event.currency == CURRENCY and is_set_up(self.event, mode)

    def payment_is_valid_session(self, request: HttpRequest) -> bool:
        return True

    def payment_form_render(self, request: HttpRequest, total: Decimal, order: Any = None) -> str:
        return format_html("<p>{}</p>", texts.HOW_IT_WORKS)

    def checkout_confirm_render(
        self, request: HttpRequest, order: Any = None, info_data: Any = None
    ) -> str:
        return format_html("<p>{}</p>", texts.HOW_IT_WORKS)

    # The payment.

    def execute_payment(self, request: Any, payment: Any) -> str:
        check_payment(payment)
        if request.session.get("iframe_session", False):
            return frame_url(payment)
        try:
            return open_checkout(payment, return_url(payment))
        except PaymentRefusal as refusal:
            raise PaymentException(str(refusal.args[0])) from refusal

    def payment_pending_render(self, request: Any, payment: Any) -> str:
        attempt = payment.tua_attempts.select_related("payment__order__event").last()
        status = None
        if attempt is not None and attempt.state == Attempt.State.OPEN:
            status = ask(attempt, _ASK_TIMEOUT)
            if status is None:
                record_unknown(attempt)
            attempt.refresh_from_db()
            # pretix offers another payment unless this one is pending.
            payment.refresh_from_db(fields=["state"])
        message = explain(attempt, status) if attempt else texts.NOT_PAID
        is_created = payment.state == OrderPayment.PAYMENT_STATE_CREATED
        is_known = attempt is None or message is not texts.UNKNOWN
        context = {
            "message": message,
            "pay_url": pay_url(payment) if is_created and is_known else None,
            "ask_url": return_url(payment),
            "is_framed": request.session.get("iframe_session", False),
        }
        return render_to_string("tua_pay_pretix/pending.html", context)

    def order_pending_mail_render(self, order: Any, payment: Any) -> str:
        return f"{texts.PAY_LATER}\n{pay_url(payment)}"

    def prevent_reminder_mail(self, order: Any, payment: Any) -> bool:
        """Nobody is asked to pay again while a payment is not confirmed."""
        return payment.state == OrderPayment.PAYMENT_STATE_PENDING

    def cancel_payment(self, payment: Any) -> None:
        """pretix calls it in a transaction. A payment that may still arrive is not cancelled."""
        attempts = payment.tua_attempts.filter(state__in=OPEN_STATES)
        try:
            close_attempts(attempts.select_related("payment__order__event"))
        except PaymentRefusal as refusal:
            raise PaymentException(str(refusal.args[0])) from refusal
        # pretix may have read the payment before its money was recorded.
        found = OrderPayment.objects.filter(pk=payment.pk).exclude(state__in=ARRIVED)
        if not found.update(state=OrderPayment.PAYMENT_STATE_CANCELED):
            raise PaymentException(texts.ALREADY_PAID)
        payment.state = OrderPayment.PAYMENT_STATE_CANCELED

    # Refunds.

    def payment_refund_supported(self, payment: Any) -> bool:
        return paid_attempt(payment) is not None

    def payment_partial_refund_supported(self, payment: Any) -> bool:
        return self.payment_refund_supported(payment)

    def execute_refund(self, refund: Any) -> None:
        begin_refund(refund)

    # What people of the shop see.

    def payment_control_render(self, request: HttpRequest, payment: Any) -> str:
        attempts = payment.tua_attempts.all()
        return render_to_string("tua_pay_pretix/control.html", {"attempts": attempts})

    def refund_control_render(self, request: HttpRequest, refund: Any) -> str:
        own = getattr(refund, "tua_refund", None)
        return render_to_string("tua_pay_pretix/control_refund.html", {"refund": own})

    def matching_id(self, payment: Any) -> str | None:
        attempt = paid_attempt(payment)
        return attempt.charge_id if attempt else None

    def refund_matching_id(self, refund: Any) -> str | None:
        own = getattr(refund, "tua_refund", None)
        return own.refund_id if own else None

    def api_payment_details(self, payment: Any) -> dict[str, Any]:
        return {"checkouts": list(payment.tua_attempts.values("checkout_id", "charge_id", "state"))}

    def api_refund_details(self, refund: Any) -> dict[str, Any]:
        return {"refund": self.refund_matching_id(refund)}

    def shred_payment_info(self, obj: Any) -> None:
        """Of personal data, only attempts have some: the e-mail address."""
        if isinstance(obj, OrderPayment):
            obj.tua_attempts.exclude(state__in=OPEN_STATES).update(email="")


def check_payment(payment: Any) -> None:
    """Raises PaymentException, with a sentence, for what mobile money cannot pay."""
    order = payment.order
    if order.event.currency != CURRENCY:
        raise PaymentException(texts.OTHER_CURRENCY % {"currency": order.event.currency})
    if payment.amount != round(payment.amount, 2):
        raise PaymentException(texts.NOT_PESEWAS)
    if not order.email:
        raise PaymentException(texts.NO_EMAIL)
