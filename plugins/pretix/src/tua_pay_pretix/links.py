"""The addresses at which payers of an order pay, and to which the hosted page links back."""

from __future__ import annotations

from typing import Any

from pretix.multidomain.urlreverse import eventreverse, eventreverse_absolute

TAG = "plugins:tua_pay_pretix"
"""What the secret part of an address is made for. It opens no other page of pretix."""


def pay_url(payment: Any) -> str:
    """The page that sends the payer to the hosted page."""
    return _url(payment, "pay")


def frame_url(payment: Any) -> str:
    """The page that opens the hosted page in a window of its own, for the widget in a frame."""
    return _url(payment, "frame")


def return_url(payment: Any) -> str:
    """The page to which the hosted page links back."""
    return _url(payment, "return")


def order_url(order: Any, query: str = "") -> str:
    """pretix's own page of an order."""
    names = {"order": order.code, "secret": order.secret}
    return str(eventreverse(order.event, "presale:event.order", kwargs=names)) + query


def webhook_url(event: Any, mode: str) -> str:
    """The address of the webhooks of one mode."""
    name = "plugins:tua_pay_pretix:webhook"
    return str(eventreverse_absolute(event, name, kwargs={"mode": mode}))


def _url(payment: Any, name: str) -> str:
    order = payment.order
    names = {"order": order.code, "hash": order.tagged_secret(TAG), "payment": payment.pk}
    return str(eventreverse_absolute(order.event, f"plugins:tua_pay_pretix:{name}", kwargs=names))
