"""Finds what a lost webhook would have reported, and keeps orders whose outcome is not known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db.models import Q
from tua_pay import CheckoutStatus, TuaError

from .attention import LOG, flag
from .checkouts import ask
from .holding import hold_order
from .models import LOST, Attempt, Refund
from .refunds import REPEAT_AGE, ask_refund

ASK_AGE = timedelta(days=30)
"""How long after its beginning a payment or refund is asked about. Tua has an outcome long before,
or people have decided."""

_OVER_AGE = timedelta(days=7)
_OVER_INTERVAL = timedelta(days=1)
"""How long, and how often, an attempt that is over is asked about: an operator may report later
that its charge brought money after all."""

_OVER_LIMIT = 50
"""How many of these one run asks about."""


@dataclass
class Report:
    """What one run did."""

    attempts: int = 0
    refunds: int = 0
    faults: int = 0


def reconcile(now: datetime) -> Report:
    """Asks about every payment and refund that is pending. One that cannot be asked about does not
    stop the others."""
    report = Report()
    related = Attempt.objects.select_related("payment__order__event__organizer")
    for attempt in related.filter(state="OPEN", created_at__gt=now - ASK_AGE):
        report.attempts += 1
        _log_fault(report, f"attempt {attempt.pk}", partial(_ask_open, attempt, now))
    for attempt in _over_attempts(related, now):
        # First, so that one that cannot be asked about is a fault once a day.
        Attempt.objects.filter(pk=attempt.pk).update(asked_at=now)
        report.attempts += 1
        _log_fault(report, f"attempt {attempt.pk}", partial(_ask_over, attempt))
    for refund in Refund.objects.filter(state="PENDING", created_at__gt=now - ASK_AGE):
        report.refunds += 1
        _log_fault(report, f"refund {refund.pk}", partial(_ask_refund, refund, now))
    return report


def _over_attempts(related: Any, now: datetime) -> Any:
    """The attempts that are over and were not asked about for a day."""
    asked = Q(asked_at=None, created_at__lt=now - _OVER_INTERVAL)
    due = asked | Q(asked_at__lt=now - _OVER_INTERVAL)
    found = related.filter(due, state="OVER", checkout_id__isnull=False)
    return found.filter(created_at__gt=now - _OVER_AGE)[:_OVER_LIMIT]


def _log_fault(report: Report, what: str, ask_about: Callable[[], None]) -> None:
    try:
        ask_about()
    except Exception as error:
        report.faults += 1
        LOG.error("%s: %s", what, error)


class NotAsked(Exception):
    """The service did not respond, so what is pending stays pending. The log says why."""


def _ask_open(attempt: Attempt, now: datetime) -> None:
    status = ask(attempt)
    if status in (None, CheckoutStatus.PENDING):
        hold_order(attempt.payment.order, now)
    if status is None:
        raise NotAsked("Tua was not asked.")


def _ask_over(attempt: Attempt) -> None:
    if ask(attempt) is None:
        raise NotAsked("Tua was not asked.")


def _ask_refund(refund: Refund, now: datetime) -> None:
    if refund.refund_id is None and refund.created_at < now - REPEAT_AGE:
        _flag_lost(refund)
        return
    try:
        ask_refund(refund)
    except TuaError as error:
        raise NotAsked(str(error)) from error


def _flag_lost(refund: Refund) -> None:
    if Refund.objects.filter(pk=refund.pk).exclude(message=LOST).update(message=LOST):
        flag(refund.order_refund.order, "refund_lost", amount=refund.amount)
