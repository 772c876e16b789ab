"""One page of a list."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import Field

from ._base import Model
from .errors import TuaUnexpectedResponseError

T = TypeVar("T")


class Page(Model, Generic[T]):
    """One page of a list. `next_cursor` is None on the last one."""

    data: list[T]
    next_cursor: str | None = Field(None, alias="nextCursor")


def check_cursor(cursors: set[str], cursor: str) -> None:
    """Stores a cursor. Raises TuaUnexpectedResponseError where the list has it already, so that it would never end."""
    if cursor in cursors:
        message = "A list has the same cursor twice, so it never ends."
        raise TuaUnexpectedResponseError(message, 200, outcome_unknown=False, idempotency_key=None)
    cursors.add(cursor)
