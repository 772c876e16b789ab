"""Where pretix calls the plug-in."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.utils import timezone
from django_scopes import scopes_disabled
from pretix.base.signals import (
    order_expired,
    periodic_task,
    register_notification_types,
    register_payment_providers,
)

from .attention import LOG
from .expiry import resolve_expired
from .logentries import attention_notification
from .payment import MobileMoney
from .reconcile import reconcile


@receiver(register_payment_providers, dispatch_uid="tua_pay_pretix_provider")
def register_provider(sender: Any, **_kwargs: Any) -> type[MobileMoney]:
    return MobileMoney


@receiver(register_notification_types, dispatch_uid="tua_pay_pretix_notifications")
def register_notifications(sender: Any, **_kwargs: Any) -> list[Any]:
    return [attention_notification(sender)]


@receiver(order_expired, dispatch_uid="tua_pay_pretix_expired")
def ask_before_expiry(sender: Any, order: Any, **_kwargs: Any) -> None:
    """A fault must not keep pretix from the other orders that expire."""
    try:
        resolve_expired(order)
    except Exception:
        LOG.exception("Order %s has expired, and Tua was not asked.", order.code)


@receiver(periodic_task, dispatch_uid="tua_pay_pretix_reconcile")
@scopes_disabled()
def ask_about_pending(sender: Any, **_kwargs: Any) -> None:
    """pretix runs it with each `runperiodic`."""
    report = reconcile(timezone.now())
    if report.faults:
        LOG.warning("%d payments or refunds could not be asked about.", report.faults)
