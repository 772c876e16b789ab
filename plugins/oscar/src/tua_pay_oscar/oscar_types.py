"""The rows of Oscar that name kinds of payments and events."""

from __future__ import annotations

from typing import Any

from django.db import connections
from oscar.core.loading import get_model

from .conf import options

SOURCE_CODE = "mobile-money"
PAID_CODE = "paid"


def source_type() -> Any:
    """The kind of source of mobile money."""
    model = get_model("payment", "SourceType")
    return model.objects.get_or_create(code=SOURCE_CODE, defaults={"name": "Mobile money"})[0]


def paid_event_type() -> Any:
    """The kind of event of a payment that arrived."""
    return _event_type(PAID_CODE, "Paid")


def refund_event_type() -> Any:
    """The kind of event that refunds, and that records a refund."""
    return _event_type(options().refund_event_code, "Refund")


def create_all(using: str) -> None:
    """Creates the rows that are missing, if Oscar's tables exist in this database."""
    models = [get_model("payment", "SourceType"), get_model("order", "PaymentEventType")]
    tables = connections[using].introspection.table_names()
    if not all(model._meta.db_table in tables for model in models):
        return
    source_type()
    paid_event_type()
    refund_event_type()


def _event_type(code: str, name: str) -> Any:
    model = get_model("order", "PaymentEventType")
    return model.objects.get_or_create(code=code, defaults={"name": name})[0]
