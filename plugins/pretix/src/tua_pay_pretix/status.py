"""The status of a checkout, as it counts for an order."""

from __future__ import annotations

from tua_pay import Checkout, CheckoutStatus, Status


def status_of(checkout: Checkout) -> CheckoutStatus:
    """The status of a checkout. A review can find that no money of a paid one arrived: then it is
    closed, unless another charge of it is pending."""
    if checkout.status is not CheckoutStatus.PAID or checkout.paid_transaction is not None:
        return checkout.status
    latest = checkout.transaction
    is_pending = latest is not None and latest.status is Status.PENDING
    return CheckoutStatus.PENDING if is_pending else CheckoutStatus.CLOSED
