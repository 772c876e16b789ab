"""The pages of the payer, and the webhook."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET
from pretix.base.models import Order
from pretix.helpers.http import redirect_to_url
from tua_pay import CheckoutStatus, TuaUsageError
from tua_pay.django import webhook_view

from . import texts
from .attention import LOG
from .checkouts import ask, open_checkout
from .closing import PaymentRefusal
from .conf import PROVIDER, Mode, verifier
from .events import process
from .links import TAG, order_url, pay_url, return_url
from .models import Attempt


# What it does may be repeated any number of times, so it may be a link.
@never_cache
@require_GET
@xframe_options_exempt
def pay(request: HttpRequest, **names: Any) -> HttpResponse:
    """Sends the payer to the hosted page."""
    payment = _find_payment(request, names)
    try:
        return redirect_to_url(open_checkout(payment, return_url(payment)))
    except PaymentRefusal as refusal:
        messages.error(request, str(refusal.args[0]))
        return _redirect_to_order(payment)


@never_cache
@require_GET
@xframe_options_exempt
def frame(request: HttpRequest, **names: Any) -> HttpResponse:
    """Links to the hosted page in a window of its own, because that page refuses to be framed."""
    payment = _find_payment(request, names)
    urls = {"pay_url": pay_url(payment), "order_url": order_url(payment.order)}
    return render(request, "tua_pay_pretix/frame.html", {"order": payment.order} | urls)


@never_cache
@require_GET
@xframe_options_exempt
def come_back(request: HttpRequest, **names: Any) -> HttpResponse:
    """Asks Tua, and shows pretix's page of the order. The payer may come before the webhook."""
    payment = _find_payment(request, names)
    attempt = payment.tua_attempts.last()
    status = ask(attempt, 5.0) if attempt and attempt.state == Attempt.State.OPEN else None
    payment.order.refresh_from_db()
    # The page of an order that waits has this sentence itself.
    if attempt is not None and payment.order.status in (
        Order.STATUS_EXPIRED,
        Order.STATUS_CANCELED,
    ):
        attempt.refresh_from_db()
        messages.warning(request, str(explain(attempt, status)))
    return _redirect_to_order(payment)


def explain(attempt: Attempt, status: CheckoutStatus | None) -> Any:
    """What the payer of an order is told about the last attempt. `status` is None where Tua was not
    asked or did not respond."""
    if attempt.state == Attempt.State.PAID:
        return texts.PAID
    if attempt.state == Attempt.State.OVER:
        return texts.NO_MONEY_MOVED
    if status is CheckoutStatus.PENDING:
        return texts.NOT_CONFIRMED
    if status is CheckoutStatus.OPEN or attempt.state == Attempt.State.NEW:
        return texts.NOT_PAID
    return texts.UNKNOWN


def _find_payment(request: Any, names: dict[str, Any]) -> Any:
    try:
        order = request.event.orders.get_with_secret_check(
            code=names["order"], received_secret=names["hash"].lower(), tag=TAG
        )
    except Order.DoesNotExist:
        raise Http404 from None
    payment = get_object_or_404(order.payments, pk=names["payment"], provider=PROVIDER)
    payment.order = order
    return payment


def _redirect_to_order(payment: Any) -> HttpResponse:
    is_paid = payment.order.status == Order.STATUS_PAID
    return HttpResponseRedirect(order_url(payment.order, "?paid=yes" if is_paid else ""))


@csrf_exempt
def webhook(request: Any, mode: Mode, **_names: Any) -> HttpResponse:
    """Verifies a webhook with the secret of its mode, and processes it."""
    try:
        webhook = verifier(request.event, mode)
    except TuaUsageError as error:
        LOG.error("Event %s, webhook of mode %s: %s", request.event.slug, mode, error)
        raise Http404 from error
    return webhook_view(webhook, partial(process, request.event, mode))(request)
