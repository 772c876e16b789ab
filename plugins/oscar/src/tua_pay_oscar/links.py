"""The addresses at which payers of an order pay and see its state."""

from __future__ import annotations

from typing import Any

from django.core.signing import Signer
from django.urls import reverse
from django.utils.crypto import constant_time_compare


def order_token(number: str) -> str:
    """The part of an address that nobody can guess. It opens no other page of Oscar."""
    return Signer(salt="tua_pay_oscar.order").signature(number)


def is_order_token(number: str, token: str) -> bool:
    return constant_time_compare(order_token(number), token)


def pay_path(order: Any) -> str:
    """The page that sends the payer to the hosted page."""
    return _path("tua:pay", order)


def status_path(order: Any) -> str:
    """The page to which the hosted page links back."""
    return _path("tua:status", order)


def _path(name: str, order: Any) -> str:
    return reverse(name, kwargs={"number": order.number, "token": order_token(order.number)})
