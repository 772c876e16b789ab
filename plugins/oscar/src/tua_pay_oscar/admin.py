"""Django's administration shows payments and refunds, and changes none."""

from __future__ import annotations

from typing import Any

from django.contrib import admin

from .models import Payment, Refund


class ReadOnlyAdmin(admin.ModelAdmin):
    def has_add_permission(self, request: Any) -> bool:
        return False

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        return False


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    list_display = ["order", "attempt", "amount", "mode", "state", "created_at"]
    list_filter = ["state", "mode"]
    search_fields = ["order__number", "checkout_id", "charge_id"]


@admin.register(Refund)
class RefundAdmin(ReadOnlyAdmin):
    list_display = ["payment", "amount", "state", "created_at"]
    list_filter = ["state"]
    search_fields = ["payment__order__number", "refund_id"]
