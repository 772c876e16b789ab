# Generated from _async_pages.py by scripts/generate_sync.py. Do not edit.
"""Lists that are read page by page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Generic, TypeVar

from ._exchange import Operation
from ._page import Page, check_cursor
from ._sync_transport import Transport

T = TypeVar("T")


class Pages(Generic[T]):
    """All items of a list, newest first. Pages are read as they are needed: `for item in pages`."""

    def __init__(self, transport: Transport, operation: Operation[Page[T]]) -> None:
        self._transport = transport
        self._operation = operation

    def page(self, cursor: str | None = None) -> Page[T]:
        """One page: the first, or the one of a cursor."""
        query = dict(self._operation.query)
        if cursor is not None:
            query["cursor"] = cursor
        return self._transport.send(replace(self._operation, query=query))

    def __iter__(self) -> Iterator[T]:
        cursors: set[str] = set()
        cursor: str | None = None
        while True:
            page = self.page(cursor)
            for item in page.data:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return
            check_cursor(cursors, cursor)
