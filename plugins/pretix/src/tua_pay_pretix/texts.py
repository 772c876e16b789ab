"""Sentences for payers and for the people of the shop."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

NOT_CONFIRMED = _("The mobile money payment is not confirmed yet. Please do not pay again.")
ALREADY_PAID = _("The mobile money payment of this order has arrived. Please do not pay again.")
NOTHING_BEGAN = _("The mobile money payment could not begin. No money moved. Please try again.")
UNKNOWN = _(
    "It is not known yet whether the payment has arrived. If you have paid, please do not pay "
    "again."
)
NOT_PAID = _("The order is not paid yet.")
NO_MONEY_MOVED = _("The order was not paid in time. No money moved.")
CANCELLED = _("The order was cancelled. Please do not pay it.")
NOT_WAITING = _("The order does not wait for a mobile money payment. Please do not pay it.")
PAID = _("Thank you. The payment has arrived.")
OTHER_CURRENCY = _(
    "Mobile money is paid in Ghana cedis (GHS), and this event sells in %(currency)s. Choose "
    "another payment method."
)
NOT_PESEWAS = _("The total of this order is not a whole number of pesewas.")
NO_EMAIL = _("A mobile money payment needs an e-mail address.")
NOT_SET_UP = _("Mobile money is not set up for this event. Choose another payment method.")
HOW_IT_WORKS = _(
    "You pay with mobile money: MTN, Telecel or AirtelTigo. After you place the order, a page asks "
    "for your mobile money number. Then you approve the payment on your phone."
)
PAY_LATER = _("You can pay with mobile money here:")
TEST_MODE = _("Test payments with mobile money move no money.")
REFUND_NOT_POSSIBLE = _("No mobile money of this payment was found that can be refunded.")

ATTENTION = {
    "arrived_cancelled": _(
        "GHS %(amount)s (charge %(charge)s) arrived after the order was cancelled. Refund it, or "
        "reactivate the order."
    ),
    "arrived_sold_out": _(
        "GHS %(amount)s (charge %(charge)s) arrived, and the order could not be marked as paid: "
        "%(reason)s Refund it, or mark the order as paid."
    ),
    "arrived_twice": _(
        "GHS %(amount)s (charge %(charge)s) arrived, and the order was paid already. Refund one of "
        "its payments."
    ),
    "arrived_by_hand": _(
        "GHS %(amount)s (charge %(charge)s) arrived for a payment that people had marked as "
        "complete. If that was other money, refund one of them."
    ),
    "arrived_in_part": _(
        "GHS %(amount)s (charge %(charge)s) arrived, which does not cover the order."
    ),
    "still_open": _(
        "The order is paid, and another payment of it may still arrive. If it arrives, refund one "
        "of them."
    ),
    "conflict": _(
        "%(charge)s: the operator contradicts the outcome of this charge. Look at it in Tua's "
        "dashboard."
    ),
    "second_charge": _(
        "%(charge)s: the operator reports this charge as paid, and another charge has paid the "
        "order. Look at both in Tua's dashboard, and refund one of them there."
    ),
    "no_money": _(
        "%(checkout)s: a review at Tua found that no money arrived, and the payment was confirmed "
        "before. Nothing was changed here. Decide what becomes of the order."
    ),
    "expired_unconfirmed": _(
        "The order has expired while a mobile money payment is not confirmed, and it could not be "
        "kept: %(reason)s If the money arrives, refund it, or mark the order as paid."
    ),
    "refund_failed": _("The refund of GHS %(amount)s failed, and no money moved: %(reason)s"),
    "refund_undone": _(
        "The refund of GHS %(amount)s failed after it was reported as made: %(reason)s. Return the "
        "money in Tua's dashboard."
    ),
    "refund_cancelled": _(
        "%(refund)s: the refund of GHS %(amount)s was marked as cancelled here, and its money was "
        "returned all the same."
    ),
    "refund_conflict": _(
        "%(refund)s: the operator contradicts the outcome of this refund of GHS %(amount)s. It "
        "counts as made until people decide about it in Tua's dashboard."
    ),
    "refund_lost": _(
        "Nobody knows whether the refund of GHS %(amount)s was made. Look at the charge in Tua's "
        "dashboard."
    ),
}
"""What people of the shop read in the log of an order, by its key in the data of the entry."""
