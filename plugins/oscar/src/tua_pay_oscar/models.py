"""What the plug-in stores: an attempt to pay an order, and the refunds of it."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

OPEN_STATES = ("NEW", "OPEN")


def new_key() -> str:
    """An idempotency key. It is random, because order numbers repeat in another database."""
    return f"oscar-{uuid4()}"


class Payment(models.Model):
    """An attempt to pay an order: one checkout at Tua. An order has at most one that can be paid,
    because the next begins only when Tua reports that this one is over.

    The address of the hosted page is not stored, because it has the payer's token. Tua returns it
    again for the same request, so what the request has is stored.
    """

    class State(models.TextChoices):
        NEW = "NEW", _("not begun")
        """No payer was given its address."""
        OPEN = "OPEN", _("not confirmed yet")
        """The payer can pay, or the outcome is not known yet."""
        PAID = "PAID", _("paid")
        OVER = "OVER", _("over, and no money moved")
        """Tua reported the checkout as expired or closed. A payment that arrives all the same is
        recorded."""

    order = models.ForeignKey(
        "order.Order",
        # The record of money stays as long as the order.
        on_delete=models.PROTECT,
        related_name="tua_payments",
        verbose_name=_("order"),
    )
    attempt = models.PositiveSmallIntegerField(_("attempt"))
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    email = models.EmailField(_("e-mail address"))
    return_url = models.URLField(max_length=500)
    idempotency_key = models.CharField(max_length=64, unique=True, default=new_key)
    mode = models.CharField(_("mode"), max_length=4)
    state = models.CharField(_("state"), max_length=4, choices=State, default=State.NEW)
    checkout_id = models.CharField(max_length=64, unique=True, null=True, blank=True)
    charge_id = models.CharField(max_length=64, blank=True)
    source = models.OneToOneField(
        "payment.Source",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="tua_payment",
        verbose_name=_("source"),
    )
    asked_at = models.DateTimeField(null=True, blank=True)
    """When `tua_reconcile` last asked about it after it was over."""
    created_at = models.DateTimeField(_("begun"), auto_now_add=True)
    updated_at = models.DateTimeField(_("last change"), auto_now=True)

    class Meta:
        verbose_name = _("mobile money payment")
        verbose_name_plural = _("mobile money payments")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["order", "attempt"], name="tua_payment_attempt"),
        ]
        indexes = [models.Index(fields=["state", "created_at"], name="tua_payment_state")]

    def __str__(self) -> str:
        return f"{self.order}: GHS {self.amount} ({self.state})"

    @property
    def refundable(self) -> Decimal:
        """What was paid, less what was refunded and what is being refunded."""
        if self.state != self.State.PAID:
            return Decimal("0.00")
        begun = self.refunds.exclude(state=Refund.State.FAILED).aggregate(models.Sum("amount"))
        return self.amount - (begun["amount__sum"] or Decimal("0.00"))


LOST = "?"
"""The message of a refund that people were told about, because nobody knows whether it was made."""


class Refund(models.Model):
    """A refund of a payment. It is stored before the first request, so that it is made once."""

    class State(models.TextChoices):
        PENDING = "PENDING", _("not confirmed yet")
        SUCCESSFUL = "SUCCESSFUL", _("made")
        FAILED = "FAILED", _("failed, and no money moved")

    payment = models.ForeignKey(
        Payment, on_delete=models.PROTECT, related_name="refunds", verbose_name=_("payment")
    )
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    idempotency_key = models.CharField(max_length=64, unique=True, default=new_key)
    refund_id = models.CharField(max_length=64, unique=True, null=True, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PENDING)
    message = models.TextField(_("message"), blank=True)
    """Why it failed, or why it is not known whether it has begun."""
    created_at = models.DateTimeField(_("begun"), auto_now_add=True)
    updated_at = models.DateTimeField(_("last change"), auto_now=True)

    class Meta:
        verbose_name = _("mobile money refund")
        verbose_name_plural = _("mobile money refunds")
        ordering = ["pk"]
        indexes = [models.Index(fields=["state", "created_at"], name="tua_refund_state")]

    def __str__(self) -> str:
        return f"{self.payment.order}: GHS {self.amount} ({self.state})"

    @property
    def reason(self) -> str:
        """Why it failed, or why it is not known whether it has begun; empty where neither is so."""
        return "" if self.message == LOST else self.message
