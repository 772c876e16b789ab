"""Lists that are read page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Generic, TypeVar

from ._async_transport import AsyncTransport
from ._exchange import Operation
from ._page import Page, check_cursor

T = TypeVar("T")


class AsyncPages(Generic[T]):
    """All items of a list, newest first. Pages are read as they are needed: `async for item in pages`."""

    def __init__(self, transport: AsyncTransport, operation: Operation[Page[T]]) -> None:
        self._transport = transport
        self._operation = operation

    async def page(self, cursor: str | None = None) -> Page[T]:
        """One page: the first, or the one of a cursor."""
        query = dict(self._operation.query)
        if cursor is not None:
            query["cursor"] = cursor
        return await self._transport.send(replace(self._operation, query=query))

    async def __aiter__(self) -> AsyncIterator[T]:
        cursors: set[str] = set()
        cursor: str | None = None
        while True:
            page = await self.page(cursor)
            for item in page.data:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return
            check_cursor(cursors, cursor)
