"""Finds what a lost webhook would have reported, and ends orders that nobody paid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from oscar.core.loading import get_class, get_model

from . import texts
from .attention import LOG, flag, flag_once
from .checkouts import refresh
from .conf import client, options
from .locks import lock_order
from .models import LOST, Payment, Refund
from .recording import covered_sum
from .refunds import ask_refund

_ASK_AGE = timedelta(days=30)
"""How long after its beginning a payment or refund is asked about. Tua has an outcome long before,
or people have decided."""

_OVER_AGE = timedelta(days=7)
_OVER_INTERVAL = timedelta(days=1)
"""How long, and how often, a payment that is over is asked about: an operator may report later that
its charge brought money after all."""

_OVER_LIMIT = 50
"""How many of these one run asks about."""

_REPEAT_AGE = timedelta(days=6)
"""How long the request of a refund whose response was lost is repeated. Tua keeps its key for 7
days, and a request with a forgotten key would be another refund."""


@dataclass
class Report:
    """What one run did."""

    payments: int = 0
    refunds: int = 0
    cancelled: int = 0
    faults: int = 0


def reconcile(now: datetime) -> Report:
    """Asks about every payment and refund that is pending, then cancels orders that nobody paid.
    One that cannot be asked about does not stop the others."""
    report = Report()
    for payment in Payment.objects.filter(state="OPEN", created_at__gt=now - _ASK_AGE):
        report.payments += 1
        _log_fault(report, f"payment {payment.pk}", partial(_ask, payment))
    for payment in _over_payments(now):
        # First, so that one that cannot be asked about is a fault once a day.
        Payment.objects.filter(pk=payment.pk).update(asked_at=now)
        report.payments += 1
        _log_fault(report, f"payment {payment.pk}", partial(_ask, payment))
    for refund in Refund.objects.filter(state="PENDING", created_at__gt=now - _ASK_AGE):
        report.refunds += 1
        _log_fault(report, f"refund {refund.pk}", partial(_ask_refund, refund, now))
    for order in _unpaid_orders(now):
        _log_fault(report, f"order {order.number}", partial(_cancel, order, report))
    return report


def _over_payments(now: datetime) -> Any:
    """The payments that are over and were not asked about for a day. A key of the other mode does
    not find them."""
    asked = Q(asked_at=None, created_at__lt=now - _OVER_INTERVAL)
    due = asked | Q(asked_at__lt=now - _OVER_INTERVAL)
    found = Payment.objects.filter(due, state="OVER", checkout_id__isnull=False)
    recent = found.filter(mode=options().mode, created_at__gt=now - _OVER_AGE)
    return recent[:_OVER_LIMIT]


def _log_fault(report: Report, what: str, ask: Callable[[], None]) -> None:
    try:
        ask()
    except Exception as error:
        report.faults += 1
        LOG.error("%s: %s", what, error)


def _ask(payment: Payment) -> None:
    with client() as tua:
        refresh(tua, payment)


def _ask_refund(refund: Refund, now: datetime) -> None:
    if refund.refund_id is None and refund.created_at < now - _REPEAT_AGE:
        _flag_lost(refund)
        return
    ask_refund(refund)


def _flag_lost(refund: Refund) -> None:
    if Refund.objects.filter(pk=refund.pk).exclude(message=LOST).update(message=LOST):
        flag(refund.payment.order, texts.REFUND_LOST, amount=refund.amount)


def _unpaid_orders(now: datetime) -> Any:
    """The orders that have waited too long."""
    read = options()
    orders = get_model("order", "Order").objects
    if read.cancel_unpaid_after is None:
        return orders.none()
    cutoff = now - read.cancel_unpaid_after
    waiting = orders.filter(status=read.waiting_status, date_placed__lt=cutoff)
    return waiting.filter(tua_payments__isnull=False).distinct()


def _cancel(order: Any, report: Report) -> None:
    """Cancels an order if Tua has reported that each of its payments is over. An attempt that never
    began was shown to nobody."""
    cancelled = options().cancelled_status
    with transaction.atomic():
        locked = lock_order(order.pk)
        is_waiting = locked.status == options().waiting_status
        if not is_waiting or locked.tua_payments.filter(state__in=("OPEN", "PAID")).exists():
            return
        paid = covered_sum(locked)
        if paid > 0:
            flag_once(locked, texts.PAID_IN_PART, amount=paid)
            return
        if cancelled not in locked.available_statuses():
            name = locked.number
            LOG.error("Order %s: OSCAR_ORDER_STATUS_PIPELINE does not allow %s", name, cancelled)
            return
        locked.tua_payments.filter(state="NEW").update(state="OVER")
        handler = get_class("order.processing", "EventHandler")()
        message = _("Tua: nobody paid the order in time, and no money moved.")
        handler.handle_order_status_change(locked, cancelled, note_msg=message)
        handler.cancel_stock_allocations(locked)
    report.cancelled += 1
