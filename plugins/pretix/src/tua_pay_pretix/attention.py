"""What people of the shop must look at."""

from __future__ import annotations

import json
import logging
from typing import Any

from django.utils.timezone import now

from .texts import ATTENTION

LOG = logging.getLogger("tua_pay_pretix")

ACTION = "tua_pay_pretix.attention"
"""The type of the log entries, which is also the type of the notifications by e-mail."""


def flag(order: Any, key: str, **values: Any) -> None:
    """Adds an entry to the log of the order, and a follow-up date of today, which pretix's list of
    orders shows. `key` names a text of ATTENTION, which is translated when it is displayed."""
    data = _data(key, values)
    LOG.error("Order %s: %s", order.code, describe(data))
    order.log_action(ACTION, data=data)
    if order.custom_followup_at is None:
        today = now().astimezone(order.event.timezone).date()
        type(order).objects.filter(pk=order.pk).update(custom_followup_at=today)
        order.custom_followup_at = today


def flag_once(order: Any, key: str, **values: Any) -> None:
    """The same, unless the log of the order has this entry already."""
    stored = json.dumps(_data(key, values), sort_keys=True)
    if not order.all_logentries().filter(action_type=ACTION, data=stored).exists():
        flag(order, key, **values)


def describe(data: dict[str, str]) -> str:
    """The text of a log entry, in the language of whoever reads it."""
    text = ATTENTION.get(data.get("text", ""))
    return str(text) % data if text is not None else ""


def _data(key: str, values: dict[str, Any]) -> dict[str, str]:
    return {"text": key} | {name: str(value) for name, value in values.items()}
