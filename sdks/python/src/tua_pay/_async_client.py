"""The asynchronous client."""

from __future__ import annotations

from types import TracebackType

import httpx

from ._async_checkouts import AsyncCheckouts, AsyncLinks, AsyncNetworks, AsyncQuotes
from ._async_events import AsyncEvents
from ._async_payments import AsyncCharges, AsyncPayouts, AsyncRefunds, AsyncTransactions
from ._async_sandbox import AsyncSandbox
from ._async_transport import AsyncTransport
from ._async_webhook_endpoints import AsyncWebhookEndpoints
from ._config import read_options


class AsyncTua:
    """A client of one service with one secret key.

    `base_url` is the API root, such as https://pay.example/v1. `timeout` is the seconds of one attempt, `total_timeout`
    those of a call with all its attempts, and `max_retries` how many times a failed attempt is repeated.
    """

    def __init__(
        self,
        *,
        secret_key: str,
        base_url: str,
        timeout: float = 10.0,
        total_timeout: float = 60.0,
        max_retries: int = 3,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        config = read_options(secret_key, base_url, timeout, total_timeout, max_retries)
        self.base_url = config.base_url
        """The API root, without a slash at its end."""
        self._transport = AsyncTransport(config, http_client)
        self.charges = AsyncCharges(self._transport)
        self.payouts = AsyncPayouts(self._transport)
        self.refunds = AsyncRefunds(self._transport)
        self.transactions = AsyncTransactions(self._transport)
        self.checkouts = AsyncCheckouts(self._transport)
        self.links = AsyncLinks(self._transport)
        self.networks = AsyncNetworks(self._transport)
        self.quotes = AsyncQuotes(self._transport)
        self.events = AsyncEvents(self._transport)
        self.webhook_endpoints = AsyncWebhookEndpoints(self._transport)
        self.sandbox = AsyncSandbox(self._transport)

    async def close(self) -> None:
        """Closes the connections, unless they are those of an `http_client` that was passed."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncTua:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
