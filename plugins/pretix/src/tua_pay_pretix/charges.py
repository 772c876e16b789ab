"""The charges of a checkout: a payer whose payment failed tries again with the same one."""

from __future__ import annotations

from tua_pay import Checkout, Status, Transaction

from .attention import LOG
from .conf import client, mode_of
from .models import Attempt


def paid_charge(attempt: Attempt, checkout: Checkout) -> Transaction | None:
    """The charge that paid a checkout. Tua names the latest one, which has failed where an operator
    reports later that an earlier one brought the money. Raises TuaError where Tua does not
    respond: only the right charge can be refunded."""
    latest = checkout.transaction
    if latest is None or _has_paid(latest):
        return latest
    order = attempt.payment.order
    with client(order.event, mode_of(order)) as tua:
        charges = list(tua.transactions.list(checkout_id=checkout.checkout_id))
    for charge in charges:
        if _has_paid(charge):
            return charge
    LOG.warning("No charge of checkout %s was found that has paid it.", checkout.checkout_id)
    return latest


def _has_paid(charge: Transaction) -> bool:
    """Whether a charge makes its checkout paid."""
    observed = charge.conflict.observed if charge.conflict else None
    return Status.SUCCESSFUL in (charge.status, observed)
