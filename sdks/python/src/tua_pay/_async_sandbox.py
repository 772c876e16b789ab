"""The sandbox of a test key."""

from __future__ import annotations

from ._async_transport import AsyncTransport
from ._exchange import Operation
from .errors import TuaUsageError
from .models import AdvancedSandboxClock


class AsyncSandbox:
    """`/sandbox`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def advance_clock(self, seconds: int) -> AdvancedSandboxClock:
        """Makes everything that is scheduled in test mode of the account earlier, by 1 to 31,622,400 seconds (366 days). It
        is repeated only where it certainly did not reach the service, because a repetition advances the clock again."""
        if not isinstance(seconds, int) or isinstance(seconds, bool):
            raise TuaUsageError(f"seconds is {seconds!r}. It is a whole number.")
        body = {"seconds": seconds}
        operation = Operation("POST", "/sandbox/clock/advance", "once", AdvancedSandboxClock, body=body, expected=body)
        return await self._transport.send(operation)
