"""What the plug-in stores: the attempts to make a payment of pretix, and its refunds."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

OPEN_STATES = ("NEW", "OPEN")


def new_key() -> str:
    """An idempotency key. It is random, because order codes repeat in another database."""
    return f"pretix-{uuid4()}"


class Attempt(models.Model):
    """An attempt to make a payment: one checkout at Tua. An order has at most one that can be paid,
    because the next begins only when Tua reports that the others are over.

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

    payment = models.ForeignKey(
        "pretixbase.OrderPayment",
        # pretix deletes test orders only.
        on_delete=models.CASCADE,
        related_name="tua_attempts",
    )
    number = models.PositiveSmallIntegerField()
    amount = models.DecimalField(max_digits=13, decimal_places=2)
    email = models.EmailField(blank=True)
    return_url = models.URLField(max_length=500)
    idempotency_key = models.CharField(max_length=64, unique=True, default=new_key)
    mode = models.CharField(max_length=4)
    state = models.CharField(max_length=4, choices=State, default=State.NEW)
    checkout_id = models.CharField(max_length=64, unique=True, null=True, blank=True)
    charge_id = models.CharField(max_length=64, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    """When the periodic task last asked about it after it was over."""
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["payment", "number"], name="tua_attempt_number"),
        ]
        indexes = [models.Index(fields=["state", "created_at"], name="tua_attempt_state")]

    def __str__(self) -> str:
        return f"{self.payment}: GHS {self.amount} ({self.state})"


LOST = "?"
"""The message of a refund that people were told about, because nobody knows whether it was made."""


class Refund(models.Model):
    """A refund. It is stored in the transaction that stores pretix's own, and sent after that."""

    class State(models.TextChoices):
        PENDING = "PENDING", _("not confirmed yet")
        SUCCESSFUL = "SUCCESSFUL", _("made")
        FAILED = "FAILED", _("failed, and no money moved")

    order_refund = models.OneToOneField(
        "pretixbase.OrderRefund", on_delete=models.CASCADE, related_name="tua_refund"
    )
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="refunds")
    amount = models.DecimalField(max_digits=13, decimal_places=2)
    idempotency_key = models.CharField(max_length=64, unique=True, default=new_key)
    refund_id = models.CharField(max_length=64, unique=True, null=True, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    message = models.TextField(blank=True)
    """Why it failed, or why it is not known whether it has begun."""
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["state", "created_at"], name="tua_pretix_refund_state")]

    def __str__(self) -> str:
        return f"{self.order_refund}: GHS {self.amount} ({self.state})"

    @property
    def reason(self) -> str:
        """Why it failed, or why it is not known whether it has begun; empty where neither is so."""
        return "" if self.message == LOST else self.message
