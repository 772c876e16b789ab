"""The JSON of a cart, read strictly."""

from __future__ import annotations

import json
from typing import Any

from .amount import Number

_MAX_DEPTH = 32


def parse_json(body: bytes) -> Any:
    """Reads UTF-8 with at most 32 levels, and no name twice in an object. Numbers stay as they were written. Raises
    ValueError otherwise; its message has nothing of the body."""
    try:
        text = body.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        raise ValueError("The body is not UTF-8.") from error
    try:
        value = json.loads(
            text,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_refuse_constant,
            object_pairs_hook=_read_members,
        )
        _check(value, _MAX_DEPTH)
    except json.JSONDecodeError as error:
        raise ValueError("The body is not valid JSON.") from error
    except RecursionError as error:
        raise ValueError("The body has more than 32 levels of nesting.") from error
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError("The body is not valid JSON.")


def _read_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("The body is not valid JSON: one object contains the same member twice.")
    return members


def _check(value: Any, depth: int) -> None:
    """Refuses deep nesting, and half of a character, which an escape can write."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError("The body is not valid JSON: a text is not Unicode.") from error
    if not isinstance(value, dict | list):
        return
    if depth == 0:
        raise ValueError("The body has more than 32 levels of nesting.")
    for member in [*value, *value.values()] if isinstance(value, dict) else value:
        _check(member, depth - 1)
