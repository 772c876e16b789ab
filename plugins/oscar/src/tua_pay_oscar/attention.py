"""What people of the shop must look at."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import translation

from .locks import lock_order

LOG = logging.getLogger("tua_pay_oscar")


def flag(order: Any, message: Any, **values: Any) -> None:
    """Adds a note of the type Error to the order, which only the dashboard shows, and logs it.
    `values` are those of the placeholders in `message`, a text that is translated lazily."""
    LOG.error("Order %s: %s", order.number, _note(order, "Error", message, values))


def flag_once(order: Any, message: Any, **values: Any) -> None:
    """The same, unless the order has this note already."""
    with transaction.atomic():
        lock_order(order.pk)
        if not order.notes.filter(message=f"Tua: {_text(message, values)}").exists():
            flag(order, message, **values)


def note(order: Any, message: Any, **values: Any) -> None:
    """Adds a note of the system to the order."""
    _note(order, "System", message, values)


def _note(order: Any, note_type: str, message: Any, values: dict[str, Any]) -> str:
    text = _text(message, values)
    order.notes.create(message=f"Tua: {text}", note_type=note_type)
    return text


def _text(message: Any, values: dict[str, Any]) -> str:
    # The language of the shop, not that of whoever sent the request.
    with translation.override(settings.LANGUAGE_CODE):
        return str(message) % values
