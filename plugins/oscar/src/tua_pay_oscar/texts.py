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
PAID_IN_PART = _(
    "The order has waited too long. It was not cancelled, because GHS %(amount)s of it are paid. "
    "Finish or cancel it by hand."
)
CANCELLED = _("The order was cancelled. Please do not pay it.")
CHANGED = _(
    "The order or its payment has changed at the same moment, so its status was not changed. Look "
    "at the order again."
)
NOT_WAITING = _("The order does not wait for a mobile money payment. Please do not pay it.")
PAID = _("Thank you. The order is paid.")
PARTLY_PAID = _("A part of the order is not paid yet.")
REFUNDED = _("The payment of this order was returned.")
PAID_AND_CANCELLED = _(
    "Your payment has arrived, and the order was cancelled. The shop will contact you. Please do "
    "not pay again."
)
OTHER_CURRENCY = _(
    "Mobile money is paid in Ghana cedis (GHS), and this order is in %(currency)s. Choose another "
    "payment method."
)
NOT_PESEWAS = _("The total of this order is not a whole number of pesewas.")
NO_EMAIL = _("A mobile money payment needs your e-mail address.")
REFUND_PENDING = _(
    "The refund of GHS %(amount)s was begun, and its outcome is not known yet. Please do not "
    "refund again. This page shows it under Payment events when the money was returned."
)
REFUND_UNKNOWN = _(
    "Tua has not confirmed that the refund of GHS %(amount)s has begun, so its outcome is not "
    "known yet: %(reason)s. If the key or another setting is wrong, correct it: the request is "
    "sent again by itself. Please do not refund again."
)
REFUND_MADE = _("GHS %(amount)s were refunded.")
REFUND_FAILED = _("The refund of GHS %(amount)s failed, and no money moved: %(reason)s")
REFUND_UNDONE = _(
    "The refund of GHS %(amount)s failed after it was reported as made: %(reason)s. Return the "
    "money in Tua's dashboard."
)
REFUND_CONFLICT = _(
    "%(refund)s: the operator contradicts the outcome of this refund of GHS %(amount)s. It counts "
    "as made until people decide about it in Tua's dashboard."
)
REFUND_LOST = _(
    "Nobody knows whether the refund of GHS %(amount)s was made. Look at the charge in Tua's "
    "dashboard."
)
REFUND_TOO_LARGE = _("At most GHS %(amount)s of one payment can be refunded.")
REFUND_AMOUNT = _(
    "The amount of a refund is a sum in cedis with at most two decimals, such as 9.00."
)
