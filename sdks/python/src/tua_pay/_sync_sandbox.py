# Generated from _async_sandbox.py by scripts/generate_sync.py. Do not edit.
"""The sandbox of a test key."""

from __future__ import annotations

from ._exchange import Operation
from ._sync_transport import Transport
from .errors import TuaUsageError
from .models import AdvancedSandboxClock


class Sandbox:
    """`/sandbox`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def advance_clock(self, seconds: int) -> AdvancedSandboxClock:
        """Makes everything that is scheduled in test mode of the account earlier, by 1 to 31,622,400 seconds (366 days). It
        is repeated only where it certainly did not reach the service, because a repetition advances the clock again."""
        if not isinstance(seconds, int) or isinstance(seconds, bool):
            raise TuaUsageError(f"seconds is {seconds!r}. It is a whole number.")
        body = {"seconds": seconds}
        operation = Operation("POST", "/sandbox/clock/advance", "once", AdvancedSandboxClock, body=body, expected=body)
        return self._transport.send(operation)
