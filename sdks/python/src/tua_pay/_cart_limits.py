"""What one address may do."""

from __future__ import annotations

import ipaddress
import math
import time
from threading import Lock

# The number of requests after which full buckets are removed, so that addresses do not fill the memory.
_SWEEP_INTERVAL = 1_024


class AddressLimit:
    """A token bucket for each address. It holds `burst` tokens, and gets all of them back within `period` seconds."""

    def __init__(self, burst: int, period: float) -> None:
        self._burst = burst
        self._period = period
        self._buckets: dict[str, tuple[float, float]] = {}
        self._counted = 0
        self._lock = Lock()

    def count(self, address: str) -> int:
        """Takes a token: 0, or the seconds until the address has one."""
        now = time.monotonic()
        key = _network(address)
        with self._lock:
            self._counted += 1
            if self._counted % _SWEEP_INTERVAL == 0:
                self._sweep(now)
            tokens = self._tokens(key, now)
            if tokens < 1:
                return math.ceil((1 - tokens) * self._period / self._burst)
            self._buckets[key] = (tokens - 1, now)
        return 0

    def _tokens(self, key: str, now: float) -> float:
        tokens, at = self._buckets.get(key, (self._burst, now))
        return min(self._burst, tokens + (now - at) * self._burst / self._period)

    def _sweep(self, now: float) -> None:
        self._buckets = {key: item for key, item in self._buckets.items() if self._tokens(key, now) < self._burst}


def _network(address: str) -> str:
    """IPv6: the /64, which is what one household or server is assigned (RFC 6177)."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False).network_address)
