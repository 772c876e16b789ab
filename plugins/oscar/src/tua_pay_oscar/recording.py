"""Brings payments and orders to what Tua reports. Everything here may be called any number of
times, by a webhook and a question at once: an outcome is recorded once."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, Sum
from django.utils.translation import gettext_lazy as _
from oscar.core.loading import get_class
from tua_pay import Checkout, CheckoutStatus, Transaction

from . import oscar_types
from .attention import LOG, flag, flag_once, note
from .conf import CURRENCY, options
from .confirmation import confirm
from .locks import lock_order
from .models import Payment
from .status import status_of


def record(checkout: Checkout) -> None:
    """Records the status of a checkout that was read or that a webhook has."""
    charge = checkout.paid_transaction
    if checkout.status is CheckoutStatus.PAID and charge is not None:
        record_paid(checkout, charge)
        return
    if checkout.status is CheckoutStatus.PAID:
        _flag_no_money(checkout.checkout_id)
    if status_of(checkout) in (CheckoutStatus.EXPIRED, CheckoutStatus.CLOSED):
        record_over(checkout.checkout_id)


def record_over(checkout_id: str) -> None:
    """Records that a checkout is over without a payment."""
    found = Payment.objects.filter(checkout_id=checkout_id, state__in=("NEW", "OPEN"))
    found.update(state=Payment.State.OVER)


def _flag_no_money(checkout_id: str) -> None:
    """Tells people about an order that was marked as paid before a review found that no money of
    its checkout arrived."""
    for payment in Payment.objects.filter(checkout_id=checkout_id, state="PAID"):
        flag_once(payment.order, _NO_MONEY, checkout=checkout_id)


_NO_MONEY = _(
    "%(checkout)s: a review at Tua found that no money arrived, and the order was marked as paid "
    "before. Nothing was changed here. Decide what becomes of the order."
)


def record_paid(checkout: Checkout, charge: Transaction) -> None:
    """Records the money that a charge of a checkout brought, and marks its order as paid if the
    money covers it."""
    found = Payment.objects.filter(checkout_id=checkout.checkout_id)
    payment = found.first()
    if payment is None:
        # Another system of the account, or a shop whose database was restored from a backup.
        LOG.warning("Checkout %s is of no order in this shop.", checkout.checkout_id)
        return
    if payment.state == Payment.State.PAID:
        return
    if checkout.mode == "test" and options().mode == "live":
        record_over(checkout.checkout_id)
        flag_once(payment.order, _TEST_MONEY, checkout=checkout.checkout_id)
        return
    with transaction.atomic():
        order = lock_order(payment.order_id)
        paid = {"state": "PAID", "amount": checkout.amount, "charge_id": charge.transaction_id}
        if not found.exclude(state="PAID").update(**paid):
            return
        payment.refresh_from_db()
        payment.source = _create_source(order, payment, charge)
        payment.save(update_fields=["source"])
        _create_event(order, payment)
        if _release(order, payment):
            transaction.on_commit(partial(confirm, payment.pk), robust=True)


_TEST_MONEY = _(
    "%(checkout)s: a test payment arrived. The shop is live now, so the order is not paid: no "
    "money moved."
)


def covered_sum(order: Any) -> Decimal:
    """What all payments of an order have brought, less what was refunded."""
    kept = order.sources.aggregate(kept=Sum(F("amount_debited") - F("amount_refunded")))["kept"]
    return Decimal(kept or 0).quantize(Decimal("0.01"))


def _create_source(order: Any, payment: Payment, charge: Transaction) -> Any:
    """The rows that Oscar's dashboard and reports read."""
    source = order.sources.create(
        source_type=oscar_types.source_type(),
        currency=CURRENCY,
        amount_allocated=payment.amount,
        amount_debited=payment.amount,
        reference=payment.charge_id,
        label=f"{charge.network} (test)" if payment.mode == "test" else charge.network,
    )
    source.transactions.create(
        txn_type="Debit", amount=payment.amount, reference=payment.charge_id, status="SUCCESSFUL"
    )
    return source


def _create_event(order: Any, payment: Payment) -> None:
    order.payment_events.create(
        event_type=oscar_types.paid_event_type(),
        amount=payment.amount,
        reference=payment.charge_id,
    )


def _release(order: Any, payment: Payment) -> bool:
    """Changes the status of an order that is paid now. Returns whether it was. People decide about
    any other order."""
    read = options()
    problem = _problem(order)
    message = problem or _("GHS %(amount)s (charge %(charge)s) arrived.")
    tell = flag if problem else note
    told = {"amount": payment.amount, "charge": payment.charge_id, "status": order.status}
    tell(order, message, **told)
    if problem:
        return False
    # A status that the pipeline refuses must not undo the record of the money.
    if read.paid_status in order.available_statuses():
        handler = get_class("order.processing", "EventHandler")()
        # That of the shop may be a TuaEventHandlerMixin: no request is sent in this transaction.
        handler.closes_tua_payments = False
        handler.handle_order_status_change(order, read.paid_status)
    else:
        flag(order, _PIPELINE_REFUSES)
    return True


_PIPELINE_REFUSES = _(
    "The order is paid, and OSCAR_ORDER_STATUS_PIPELINE does not allow its new status."
)


def _problem(order: Any) -> Any:
    """Why people must look at money that arrived; None where the order is paid with it."""
    covered = covered_sum(order)
    if covered > order.total_incl_tax:
        return _(
            "GHS %(amount)s (charge %(charge)s) arrived, and the order was paid already. Refund "
            "one of its payments."
        )
    if order.status == options().cancelled_status:
        return _(
            "GHS %(amount)s (charge %(charge)s) arrived after the order was cancelled. Refund it, "
            "or make a new order."
        )
    if order.status != options().waiting_status:
        return _(
            "GHS %(amount)s (charge %(charge)s) arrived for an order that did not wait for it: its "
            "status is %(status)s. If it was paid otherwise, refund one of its payments."
        )
    if covered < order.total_incl_tax:
        return _("GHS %(amount)s (charge %(charge)s) arrived, which does not cover the order.")
    return None
