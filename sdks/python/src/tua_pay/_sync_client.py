# Generated from _async_client.py by scripts/generate_sync.py. Do not edit.
"""The synchronous client."""

from __future__ import annotations

from types import TracebackType

import httpx

from ._config import read_options
from ._sync_checkouts import Checkouts, Links, Networks, Quotes
from ._sync_events import Events
from ._sync_payments import Charges, Payouts, Refunds, Transactions
from ._sync_sandbox import Sandbox
from ._sync_transport import Transport
from ._sync_webhook_endpoints import WebhookEndpoints


class Tua:
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
        http_client: httpx.Client | None = None,
    ) -> None:
        config = read_options(secret_key, base_url, timeout, total_timeout, max_retries)
        self.base_url = config.base_url
        """The API root, without a slash at its end."""
        self._transport = Transport(config, http_client)
        self.charges = Charges(self._transport)
        self.payouts = Payouts(self._transport)
        self.refunds = Refunds(self._transport)
        self.transactions = Transactions(self._transport)
        self.checkouts = Checkouts(self._transport)
        self.links = Links(self._transport)
        self.networks = Networks(self._transport)
        self.quotes = Quotes(self._transport)
        self.events = Events(self._transport)
        self.webhook_endpoints = WebhookEndpoints(self._transport)
        self.sandbox = Sandbox(self._transport)

    def close(self) -> None:
        """Closes the connections, unless they are those of an `http_client` that was passed."""
        self._transport.close()

    def __enter__(self) -> Tua:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
