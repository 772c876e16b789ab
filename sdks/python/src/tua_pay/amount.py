"""Amounts in cedis (GHS): a Decimal, or its text. Never a float, and never an int."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal, InvalidOperation
from typing import Any

from .errors import TuaUsageError

Amount = Decimal | str
"""A sum in cedis: `Decimal("18.00")` or `"18.00"`."""

_AMOUNT = re.compile(r"(0|[1-9][0-9]{0,9})(\.[0-9]{1,2})?")


def amount_text(value: object, name: str = "amount") -> str:
    """The digits of an amount. Raises TuaUsageError for a float, an int and what is not in whole pesewas."""
    if not isinstance(value, Decimal | str):
        raise TuaUsageError(
            f"{name} is of the type {type(value).__name__}. Write cedis as Decimal or as text, such as "
            f'Decimal("18.00"): a float is not exact, and an int may mean pesewas.'
        )
    text = format(value, "f") if isinstance(value, Decimal) and value.is_finite() else str(value)
    if not _AMOUNT.fullmatch(text):
        raise TuaUsageError(
            f"{name} is {text!r}. Write cedis with at most two decimals and no sign, such as 18.00. "
            "Nothing is rounded for you."
        )
    return text


class Number:
    """The digits of an amount in a request: they are written as they are."""

    def __init__(self, text: str) -> None:
        self.text = text


def encode(value: Any) -> str:
    """JSON of a request, without spaces. A Decimal is written with its digits, so no float is involved."""
    if isinstance(value, Number):
        return value.text
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise TuaUsageError(f"{value} is not a number of JSON.")
        return format(value, "f")
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(str(name))}:{encode(member)}" for name, member in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ",".join(map(encode, value)) + "]"
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TuaUsageError(f"{type(value).__name__} has no form in JSON.") from error


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _read_decimal(text: str) -> Decimal:
    """A number of JSON. Raises ValueError where its exponent is larger than a Decimal can have."""
    try:
        return Decimal(text, Context(traps=[InvalidOperation]))
    except ArithmeticError as error:
        raise ValueError(f"{text} is no number of the service") from error


def decode(content: bytes) -> dict[str, Any]:
    """The object of a response, with exact numbers. Raises ValueError for anything else."""
    value = json.loads(content, parse_float=_read_decimal, parse_constant=_no_constant)
    if not isinstance(value, dict):
        raise ValueError("the response is not an object")
    return value
