"""What happens once after an order was paid."""

from __future__ import annotations

from typing import Any

from django.contrib.sites.models import Site
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _
from oscar.core.loading import get_class

from .attention import LOG, flag
from .models import Payment
from .signals import order_paid


def confirm(payment_pk: int) -> None:
    """Sends the signal `order_paid`, and Oscar's e-mail about the order. Then closes what could
    still be paid of it."""
    payment = Payment.objects.select_related("order").get(pk=payment_pk)
    order = payment.order
    order_paid.send_robust(sender=Payment, order=order, payment=payment)
    _send_email(order)
    _close_others(order)


def _send_email(order: Any) -> None:
    try:
        dispatcher = get_class("order.utils", "OrderDispatcher")(logger=LOG)
        dispatcher.send_order_placed_email_for_user(order, _context(order))
    except Exception:
        LOG.exception("Order %s: the e-mail about the paid order was not sent", order.number)


def _close_others(order: Any) -> None:
    """An older checkout of the order may be paid after the next one was begun."""
    # It records what it reads, and so needs this module.
    from .checkouts import PaymentRefusal, close_payments

    try:
        close_payments(order)
    except PaymentRefusal as refusal:
        flag(order, _STILL_OPEN, reason=refusal.args[0])


_STILL_OPEN = _(
    "The order is paid, and another payment of it may still arrive: %(reason)s If it arrives, "
    "refund one of them."
)


def _context(order: Any) -> dict[str, Any]:
    """The values that Oscar's templates of the e-mail use, without a request."""
    context = {"user": order.user, "order": order, "lines": order.lines.all()}
    site = order.site or Site.objects.first()
    try:
        path = _path(order)
    except NoReverseMatch:
        return context
    status_url = f"https://{site.domain}{path}" if site else path
    return context | {"site": site, "status_path": path, "status_url": status_url}


def _path(order: Any) -> str:
    """The page of the order in the customer's account, or that of a guest."""
    if order.user:
        return reverse("customer:order", kwargs={"order_number": order.number})
    names = {"order_number": order.number, "hash": order.verification_hash()}
    return reverse("customer:anon-order", kwargs=names)
