"""The addresses at which payers of an order pay and see its state."""

from __future__ import annotations

from typing import Any

from django.core.signing import BadSignature, Signer
from django.urls import reverse


def order_token(number: str) -> str:
    """The part of an address that nobody can guess. It opens no other page of Oscar."""
    return _signer().signature(number)


def is_order_token(number: str, token: str) -> bool:
    """Whether an address is that of the order, also with a key of SECRET_KEY_FALLBACKS."""
    try:
        _signer().unsign(f"{number}:{token}")
    except BadSignature:
        return False
    return True


def _signer() -> Signer:
    return Signer(salt="tua_pay_oscar.order")


def pay_path(order: Any) -> str:
    """The page that sends the payer to the hosted page."""
    return _path("tua:pay", order)


def status_path(order: Any) -> str:
    """The page to which the hosted page links back."""
    return _path("tua:status", order)


def _path(name: str, order: Any) -> str:
    return reverse(name, kwargs={"number": order.number, "token": order_token(order.number)})
