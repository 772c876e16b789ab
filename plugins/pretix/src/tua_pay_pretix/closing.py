"""Closes checkouts at Tua, so that nobody pays them any more. Nothing else is recorded here: pretix
cancels payments inside its own transactions."""

from __future__ import annotations

from collections.abc import Iterable

from tua_pay import CheckoutStatus, Tua, TuaApiError, TuaError

from . import texts
from .attention import LOG
from .conf import client, mode_of
from .models import OPEN_STATES, Attempt
from .status import status_of


class PaymentRefusal(Exception):
    """Why nothing can be paid or cancelled now: a sentence for the payer, without a secret."""


def close_attempts(attempts: Iterable[Attempt]) -> None:
    """Ends attempts that are not over. Raises PaymentRefusal where a payment is under way or has
    arrived, or where this is not known."""
    for attempt in attempts:
        if attempt.checkout_id is None:
            # Nobody has its address. `open_checkout` closes one whose response comes later.
            if Attempt.objects.filter(pk=attempt.pk, checkout_id=None).update(state="OVER"):
                continue
            # Its checkout was opened after the attempt was read.
            attempt.refresh_from_db()
        order = attempt.payment.order
        try:
            with client(order.event, mode_of(order)) as tua:
                status = _close(tua, attempt.checkout_id)
        except TuaError as error:
            LOG.warning("Order %s: %s", order.code, error)
            raise PaymentRefusal(texts.UNKNOWN) from error
        if status is CheckoutStatus.PAID:
            raise PaymentRefusal(texts.ALREADY_PAID)
        if status in (CheckoutStatus.OPEN, CheckoutStatus.PENDING):
            raise PaymentRefusal(texts.NOT_CONFIRMED)
        Attempt.objects.filter(pk=attempt.pk, state__in=OPEN_STATES).update(state="OVER")


def _close(tua: Tua, checkout_id: str) -> CheckoutStatus:
    """The status of a checkout after it was closed, if that was possible."""
    status = status_of(tua.checkouts.get(checkout_id))
    if status is not CheckoutStatus.OPEN:
        return status
    try:
        return tua.checkouts.close(checkout_id).status
    except TuaApiError as error:
        if error.code not in ("charge_in_progress", "checkout_already_paid"):
            raise
    return status_of(tua.checkouts.get(checkout_id))
