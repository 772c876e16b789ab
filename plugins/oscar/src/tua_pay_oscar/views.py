"""The pages of the payer, and the webhook."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods
from oscar.core.loading import get_model
from tua_pay import CheckoutStatus
from tua_pay.django import webhook_view

from . import texts
from .checkouts import PaymentRefusal, ask, not_waiting, open_checkout
from .conf import options, verifier
from .events import process
from .links import is_order_token, order_token, status_path
from .models import Payment
from .recording import covered_sum

_REFRESH_SECONDS = 10
_ASK_TIMEOUT = 5.0


# What it does may be repeated any number of times, so it may be a link too.
@transaction.non_atomic_requests
@never_cache
@require_http_methods(["GET", "POST"])
def pay(request: HttpRequest, number: str, token: str) -> HttpResponse:
    """Sends the payer to the hosted page."""
    order = _find_order(number, token)
    return_url = request.build_absolute_uri(status_path(order))
    try:
        return HttpResponseRedirect(open_checkout(order, return_url))
    except PaymentRefusal as refusal:
        message = refusal.args[0]
        if message is texts.NOTHING_BEGAN:
            return _show(request, order, message, can_pay=True)
        return _show(request, order, message, refreshes=True)


@transaction.non_atomic_requests
@never_cache
@require_GET
def status(request: HttpRequest, number: str, token: str) -> HttpResponse:
    """Asks Tua, and shows whether the order is paid. The payer may come before the webhook."""
    order = _find_order(number, token)
    payment = order.tua_payments.last()
    if payment is None:
        raise Http404
    known = _ask(payment)
    order.refresh_from_db()
    if order.tua_payments.filter(state=Payment.State.PAID).exists():
        arrived = _show_arrived(request, order)
        if arrived is not None:
            return arrived
    if known is None:
        return _show(request, order, texts.UNKNOWN, refreshes=True)
    if known is CheckoutStatus.PENDING:
        return _show(request, order, texts.NOT_CONFIRMED, refreshes=True)
    if order.status != options().waiting_status:
        return _show(request, order, not_waiting(order))
    return _show(request, order, _why_unpaid(order, known), can_pay=True)


def _show_arrived(request: HttpRequest, order: Any) -> HttpResponse | None:
    """The page of an order whose payment has arrived; None where it waits for more money."""
    covered = covered_sum(order)
    is_waiting = order.status == options().waiting_status
    if covered <= 0:
        return _show(request, order, texts.REFUNDED)
    if order.status == options().cancelled_status:
        return _show(request, order, texts.PAID_AND_CANCELLED)
    if is_waiting and covered < order.total_incl_tax:
        return None
    # The page of Oscar sends the payer of an order that waits back to this one.
    if not is_waiting and request.session.get("checkout_order_id") == order.pk:
        return HttpResponseRedirect(reverse("checkout:thank-you"))
    return _show(request, order, texts.PAID)


def _ask(payment: Payment) -> CheckoutStatus | None:
    """The status of the last attempt; None where it is not known."""
    if payment.state == Payment.State.OPEN:
        return ask(payment, _ASK_TIMEOUT)
    if payment.state == Payment.State.NEW:
        # Nobody has its address.
        return CheckoutStatus.OPEN
    return CheckoutStatus.PAID if payment.state == Payment.State.PAID else CheckoutStatus.CLOSED


def _why_unpaid(order: Any, known: CheckoutStatus) -> Any:
    if covered_sum(order) > 0:
        return texts.PARTLY_PAID
    return texts.NOT_PAID if known is CheckoutStatus.OPEN else texts.NO_MONEY_MOVED


def _find_order(number: str, token: str) -> Any:
    if not is_order_token(number, token):
        raise Http404
    order = get_model("order", "Order").objects.filter(number=number).first()
    if order is None:
        raise Http404
    return order


def _show(
    request: HttpRequest,
    order: Any,
    message: Any,
    *,
    can_pay: bool = False,
    refreshes: bool = False,
) -> HttpResponse:
    context = {
        "order": order,
        "token": order_token(order.number),
        "message": message,
        "can_pay": can_pay,
        "refreshes": refreshes,
    }
    response = render(request, "tua_pay_oscar/status.html", context)
    if refreshes:
        response["Refresh"] = f"{_REFRESH_SECONDS}; url={status_path(order)}"
    return response


@csrf_exempt
@transaction.non_atomic_requests
def webhook(request: HttpRequest) -> HttpResponse:
    """Verifies and processes a webhook. 204 means processed, so Tua sends anything else again."""
    return webhook_view(verifier(), process)(request)
