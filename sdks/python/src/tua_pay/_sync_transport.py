# Generated from _async_transport.py by scripts/generate_sync.py. Do not edit.
"""Sends requests, and waits for outcomes."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel

from ._config import Config
from ._exchange import Attempts, Failure, Operation, Result, backoff, failed_connection, read_response
from .errors import TuaApiError, TuaRequestError
from .models import Refund, Status, Transaction

T = TypeVar("T", bound=BaseModel)
Outcome = TypeVar("Outcome", Transaction, Refund)

_LONGEST_POLL = 30
# A service that cannot hold a poll answers at once, so the next poll is sent after this interval.
_SHORTEST_INTERVAL = 1.0


class Transport:
    """The connection of one client."""

    def __init__(self, config: Config, http_client: httpx.Client | None) -> None:
        self.config = config
        self._owns_client = http_client is None
        self._client = http_client or httpx.Client()

    def close(self) -> None:
        if self._owns_client:
            self._client.close()

    def send(self, operation: Operation[T], idempotency_key: str | None = None, total_timeout: float | None = None) -> T:
        """Sends a request until it has a result, its attempts are used up, or its time is over."""
        result = self.exchange(self.config, operation, idempotency_key, total_timeout)
        assert result.value is not None
        return result.value

    def exchange(
        self, config: Config, operation: Operation[T], idempotency_key: str | None, total_timeout: float | None
    ) -> Result[T]:
        attempts = Attempts(config, operation, idempotency_key, total_timeout)
        while True:
            result = self._attempt(operation, attempts)
            if isinstance(result, Result):
                return result
            time.sleep(attempts.delay(result))

    def _attempt(self, operation: Operation[T], attempts: Attempts) -> Result[T] | Failure:
        timeout = attempts.timeout()
        try:
            response, content = self._receive(attempts.request(), timeout)
        except (httpx.HTTPError, httpx.StreamError, TimeoutError) as error:
            return failed_connection(operation, self.config.base_url, error)
        return read_response(operation, response.status_code, response.headers, content)

    def _receive(self, request: dict[str, Any], timeout: float) -> tuple[httpx.Response, bytes]:
        """The response and its body, which must end in time: httpx limits the time between two parts only."""
        deadline = time.monotonic() + timeout
        chunks: list[bytes] = []
        with self._client.stream(**request) as response:
            for chunk in response.iter_bytes():
                chunks.append(chunk)
                if time.monotonic() > deadline:
                    raise httpx.ReadTimeout("the response did not end in time", request=response.request)
        return response, b"".join(chunks)

    def wait(self, operation: Operation[Outcome], timeout: float) -> Outcome:
        """Asks by long poll until a transaction or refund is final, or the time is over: then it returns what was last
        seen, which is PENDING. A poll without a response is repeated. It raises where nothing was seen at all."""
        deadline = time.monotonic() + timeout
        seen: Outcome | None = None
        etag: str | None = None
        failures = 0
        while True:
            asked = time.monotonic()
            left = max(0.0, deadline - asked)
            seconds = min(_LONGEST_POLL, int(left))
            headers: dict[str, Any] = {"prefer": f"wait={seconds}"} if seconds > 0 else {}
            if etag is not None:
                headers["if-none-match"] = etag
            poll = replace(operation, headers=headers, timeout=seconds + self.config.timeout)
            try:
                single = replace(self.config, max_retries=0)
                result = self.exchange(single, poll, None, left + self.config.timeout)
                failures = 0
                if result.value is not None:
                    seen, etag = result.value, result.etag
                if seen is not None and seen.status is not Status.PENDING:
                    return seen
                pause = max(0.0, _SHORTEST_INTERVAL - (time.monotonic() - asked))
            except TuaRequestError as error:
                if not is_transient(error):
                    raise
                pause = backoff(failures, error.retry_after if isinstance(error, TuaApiError) else None)
                failures += 1
                if seen is None and time.monotonic() + pause >= deadline:
                    raise
            if seen is not None and time.monotonic() + pause >= deadline:
                return seen
            time.sleep(pause)


def is_transient(error: TuaRequestError) -> bool:
    """Whether the same request may have a result later: a broken connection, 408, 429, 5xx."""
    return not isinstance(error, TuaApiError) or error.status >= 500 or error.status in (408, 429)
