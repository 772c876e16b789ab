"""For the views of Oscar's dashboard. A shop without views of its own installs the app
`tua_pay_oscar.dashboard.orders`; another one adds these classes to its views."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from oscar.apps.payment.exceptions import PaymentError

from . import texts
from .conf import options
from .models import Refund
from .processing import RefundPending, TuaEventHandlerMixin
from .refunds import explain_pending, read_amount, refund_order

REFUND_ACTION = "refund_tua_payment"


@method_decorator(transaction.non_atomic_requests, name="dispatch")
class TuaHandlerMixin:
    """Adds `TuaEventHandlerMixin` to the event handler, whichever the shop has. Its requests to Tua
    are not part of a transaction, also with ATOMIC_REQUESTS."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]

    def get_handler_class(self) -> type:
        handler: type = super().get_handler_class()  # type: ignore[misc]
        if issubclass(handler, TuaEventHandlerMixin):
            return handler
        return type("TuaEventHandler", (TuaEventHandlerMixin, handler), {})


class TuaOrderDetailMixin(TuaHandlerMixin):
    """Put it before Oscar's `OrderDetailView`. The tab Payment has a form that refunds."""

    template_name = "tua_pay_oscar/order_detail.html"
    request: Any

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.object = self.get_object()  # type: ignore[attr-defined]
        if _refunds(request) and not _may_refund(request):
            error = _("Refunds need the permission to change orders.")
            return self.reload_page(error=error)  # type: ignore[attr-defined]
        if request.POST.get("order_action") == REFUND_ACTION:
            return self._refund(request)
        try:
            return super().post(request, *args, **kwargs)  # type: ignore[misc]
        except RefundPending as pending:
            messages.warning(request, str(pending))
            return self.reload_page()  # type: ignore[attr-defined]

    def _refund(self, request: HttpRequest) -> HttpResponse:
        try:
            amount = read_amount(request.POST.get("amount", ""))
            refund = refund_order(self.object, amount)
        except PaymentError as error:
            messages.error(request, str(error))
        else:
            if refund.state == Refund.State.PENDING:
                messages.warning(request, explain_pending(refund))
            else:
                messages.success(request, texts.REFUND_MADE % {"amount": refund.amount})
        return self.reload_page(fragment="payment")  # type: ignore[attr-defined]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]
        payments = self.object.tua_payments.prefetch_related("refunds")
        return context | {
            "tua_payments": payments,
            "tua_refundable": max((payment.refundable for payment in payments), default=0),
            "tua_may_refund": _may_refund(self.request),
            "tua_refund_action": REFUND_ACTION,
        }


def _refunds(request: HttpRequest) -> bool:
    """Whether a form of the page refunds."""
    if request.POST.get("order_action") == REFUND_ACTION:
        return True
    return request.POST.get("payment_event_type") == options().refund_event_code


def _may_refund(request: HttpRequest) -> bool:
    """Oscar shows the page also to people of a partner who may only look at orders."""
    return request.user.has_perm("order.change_order")
