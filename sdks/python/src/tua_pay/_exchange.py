"""What a request is, and what its response means: the same for the synchronous and the asynchronous client."""

from __future__ import annotations

import random
import re
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ValidationError

from ._config import Config
from ._version import VERSION
from .amount import Number, amount_text, decode, encode
from .errors import (
    Fault,
    Problem,
    TuaApiError,
    TuaConnectionError,
    TuaRequestError,
    TuaUnexpectedResponseError,
    TuaUsageError,
)

T = TypeVar("T", bound=BaseModel)

Repetition = Literal["reads", "repeatable", "keyed", "once"]
"""What the repetition of a request does: nothing, the same again, the same thanks to its Idempotency-Key, or more than the
first one did. A request of the last kind is repeated only where it was certainly not executed."""

_PRINTABLE = re.compile(r"[!-~]([ -~]{0,253}[!-~])?")
_RETRIED = {408, 429, 500, 502, 503, 504}
# Refusals that come before the service reads the Idempotency-Key. They are no answer about an earlier attempt, nor about an
# earlier call with the same key, which the caller may have made.
_BEFORE_THE_KEY = {401, 403, 408, 413, 429, 503}
# No connection was made, so nothing was sent.
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
# What a server sent can be in the reason of the library, and it may have sent the key back.
_SECRET = re.compile(r"((?:tua|sk)_(?:test|live)_|tua_checkout_)[A-Za-z0-9_-]+")
_LONGEST_REASON = 200
_FIRST_DELAY = 0.25
_LONGEST_DELAY = 8.0


@dataclass(frozen=True)
class Operation(Generic[T]):
    """A request, and the model of its response."""

    method: Literal["GET", "POST"]
    path: str
    repetition: Repetition
    model: type[T]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, str | int] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    """Seconds for one attempt, where it is not that of the client."""
    expected: Mapping[str, Any] = field(default_factory=dict)
    """Members that the response must have with these values: else it is the response to another request."""


@dataclass(frozen=True)
class Result(Generic[T]):
    """A usable response. `value` is None for 304: nothing has changed."""

    value: T | None
    etag: str | None


@dataclass(frozen=True)
class Failure:
    """An attempt without a usable response."""

    error: Callable[[bool, str | None], TuaRequestError]
    """Makes the error from outcome_unknown and idempotency_key."""
    status: int
    is_retried: bool
    is_ambiguous: bool
    """Whether this attempt may have been executed."""
    retry_after: float | None = None


def segment(identifier: str, name: str) -> str:
    """An identifier as a part of a path."""
    if not isinstance(identifier, str) or identifier in ("", ".", ".."):
        raise TuaUsageError(f"{name} is empty or no identifier.")
    return quote(identifier, safe="")


def begin(path: str, model: type[T], money: tuple[str, ...] = ("amount",), **members: Any) -> Operation[T]:
    """A request that begins something. Members that are None are left out; `money` names those that are amounts."""
    body = {name: member for name, member in members.items() if member is not None}
    amounts = {name: Number(amount_text(body[name], name)) for name in money if name in body}
    expected: dict[str, Any] = {name: body[name] for name in ("reference", "transactionId") if name in body}
    if "amount" in amounts:
        expected["amount"] = Decimal(amounts["amount"].text)
    return Operation("POST", path, "keyed", model, body=body | amounts, expected=expected)


class Attempts:
    """Counts the attempts of one call, and decides about the next one."""

    def __init__(
        self, config: Config, operation: Operation[Any], idempotency_key: str | None, total_timeout: float | None
    ) -> None:
        self._config = config
        self._operation = operation
        total = config.total_timeout if total_timeout is None else total_timeout
        self._deadline = time.monotonic() + total
        self._count = 0
        is_keyed = operation.repetition == "keyed"
        self._key = _read_key(idempotency_key) if is_keyed else None
        self._may_have_begun = is_keyed and idempotency_key is not None

    def request(self) -> dict[str, Any]:
        """The arguments of httpx for the next attempt."""
        operation = self._operation
        headers = {"accept": "application/json", "user-agent": f"tua-python/{VERSION}", **operation.headers}
        content = None
        if operation.body is not None:
            headers["content-type"] = "application/json"
            content = encode(operation.body).encode()
        if self._key is not None:
            headers["idempotency-key"] = self._key
        return {
            "method": operation.method,
            "url": self._config.base_url + operation.path,
            "params": dict(operation.query) or None,
            "headers": headers,
            "content": content,
            "auth": self._config.auth,
            "timeout": self.timeout(),
            "follow_redirects": False,
        }

    def timeout(self) -> float:
        """Seconds for the next attempt."""
        own = self._operation.timeout
        return max(0.001, min(self._config.timeout if own is None else own, self._deadline - time.monotonic()))

    def delay(self, failure: Failure) -> float:
        """Seconds before the next attempt, with jitter and never before Retry-After. Raises the error after the last."""
        repetition = self._operation.repetition
        # A thing that is removed is not found by the request that removes it again.
        is_after_removal = repetition == "repeatable" and failure.status == 404
        is_no_answer = failure.status in _BEFORE_THE_KEY or is_after_removal
        outcome_unknown = failure.is_ambiguous or (self._may_have_begun and is_no_answer)
        self._may_have_begun = self._may_have_begun or failure.is_ambiguous
        delay = backoff(self._count, failure.retry_after)
        is_over = self._count >= self._config.max_retries or time.monotonic() + delay >= self._deadline
        is_retried = failure.is_retried and not (repetition == "once" and failure.is_ambiguous)
        if not is_retried or is_over:
            raise failure.error(outcome_unknown, self._key)
        self._count += 1
        return delay


def backoff(attempt: int, retry_after: float | None) -> float:
    """Seconds before the next attempt: exponential, with jitter, and never before Retry-After."""
    delay = min(_LONGEST_DELAY, _FIRST_DELAY * 2.0**attempt)
    return max(retry_after or 0.0, 0.0) + delay * random.uniform(0.5, 1.0)


def failed_connection(operation: Operation[Any], base_url: str, error: Exception) -> Failure:
    """An attempt without a response."""
    if isinstance(error, httpx.RequestError):
        # The error of httpx is the cause of this package's error, and its request would show the key.
        error.request.headers.pop("x-api-key", None)
    message = f"{operation.method} {operation.path}: {_describe(error, base_url)}"

    def make(unknown: bool, key: str | None) -> TuaRequestError:
        made = TuaConnectionError(message, outcome_unknown=unknown, idempotency_key=key)
        made.__cause__ = error
        return made

    is_once_never_sent = operation.repetition == "once" and isinstance(error, _NEVER_SENT)
    return Failure(make, 0, True, operation.repetition != "reads" and not is_once_never_sent)


def _describe(error: Exception, base_url: str) -> str:
    """What happened to a connection, for people. It has no header of the request, because the key is one."""
    reason = _reason(error)
    why = f" ({reason})" if reason else ""
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return f"no connection to {base_url}{why}. Does the service run there?"
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return f"no response in time from {base_url}."
    return f"the connection to {base_url} failed or broke{why}."


def _reason(error: Exception) -> str:
    """The reason of the library, and that of the operating system where no connection was made."""
    if isinstance(error, httpx.LocalProtocolError):
        return "the request is not allowed in HTTP"
    text = _connect_reason(error) if isinstance(error, httpx.ConnectError) else str(error)
    line = re.sub(r"^\[Errno -?[0-9]+\] ", "", _SECRET.sub(r"\1…", " ".join(text.split()))).rstrip(".")
    return line if len(line) <= _LONGEST_REASON else line[:_LONGEST_REASON] + "…"


def _connect_reason(error: httpx.ConnectError) -> str:
    """The reason of the first fault of the operating system: those before it can be faults that the shop handles."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, BaseExceptionGroup):  # one fault of each address of the name
            cause = cause.exceptions[0]
        if isinstance(cause, ConnectionRefusedError):  # asyncio's own text has the address again
            return "Connection refused"
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return str(error)


def read_response(operation: Operation[T], status: int, headers: httpx.Headers, content: bytes) -> Result[T] | Failure:
    """What a response means."""
    if status == 304 and "if-none-match" in operation.headers:
        return Result(None, headers.get("etag"))
    is_ambiguous = operation.repetition != "reads"
    retry_after = parse_retry_after(headers)
    body: dict[str, Any] | None
    try:
        body = decode(content)
    except (ValueError, RecursionError):
        body = None
    if 200 <= status < 300:
        fault = _find_fault(operation, body)
        if fault is None:
            try:
                return Result(operation.model.model_validate(body), headers.get("etag"))
            except ValidationError as error:
                fault = f"the response is not as documented: {error.errors()[0]['loc']}"
        return _unexpected(operation, fault, status, True, retry_after)
    problem = _read_problem(body, status)
    if problem is None:
        redirect = "is a redirect; set base_url to the address of the service itself"
        what = redirect if status < 400 else "is not the service's JSON"
        fault = f"the response with status {status} {what}"
        return _unexpected(operation, fault, status, status in _RETRIED, retry_after)
    is_in_progress = problem.code == "idempotency_in_progress"
    # The key is of another request, which was accepted.
    is_of_another = problem.code == "idempotency_key_reused"
    may_have_run = is_in_progress or is_of_another or (status >= 500 and problem.code != "network_unavailable")

    # Without Retry-After, no operator is set up for the network, and a repetition gets the same response.
    needs_operator = problem.code == "network_unavailable" and retry_after is None
    is_retried = is_in_progress or (status in _RETRIED and not needs_operator)

    def make(unknown: bool, key: str | None) -> TuaRequestError:
        return TuaApiError(problem, retry_after, outcome_unknown=unknown, idempotency_key=key)

    return Failure(make, status, is_retried, is_ambiguous and may_have_run, retry_after)


def _unexpected(operation: Operation[Any], fault: str, status: int, is_retried: bool, retry_after: float | None) -> Failure:
    message = f"{operation.method} {operation.path}: {fault}. It was not used."

    def make(unknown: bool, key: str | None) -> TuaRequestError:
        return TuaUnexpectedResponseError(message, status, outcome_unknown=unknown, idempotency_key=key)

    return Failure(make, status, is_retried, operation.repetition != "reads", retry_after)


def _find_fault(operation: Operation[Any], body: dict[str, Any] | None) -> str | None:
    if body is None:
        return "the response is not the service's JSON"
    for name, value in operation.expected.items():
        if name in body and body[name] != value:
            return f"the response is that of another request: its {name} differs"
    return None


def _read_key(key: str | None) -> str:
    if key is None:
        return str(uuid.uuid4())
    if not isinstance(key, str) or not _PRINTABLE.fullmatch(key):
        raise TuaUsageError("An idempotency_key has 1 to 255 printable ASCII characters.")
    return key


def _read_problem(body: dict[str, Any] | None, status: int) -> Problem | None:
    if body is None or not isinstance(body.get("code"), str):
        return None
    faults = body.get("errors")
    errors = tuple(
        Fault(str(fault.get("pointer", "")), str(fault.get("code", "")), str(fault.get("detail", "")))
        for fault in (faults if isinstance(faults, list) else [])
        if isinstance(fault, dict)
    )
    title, detail = str(body.get("title", "")), str(body.get("detail", ""))
    request_id = body.get("requestId")
    return Problem(status, body["code"], title, detail, str(request_id) if request_id else None, errors)


def parse_retry_after(headers: httpx.Headers) -> float | None:
    """Seconds of Retry-After: a number, or a date that is compared with the response's own Date, so that a wrong clock
    of this machine does not matter. None where it is absent or neither."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    until = _parse_date(value)
    if until is None:
        return None
    start = _parse_date(headers.get("date", "")) or datetime.now(UTC)
    return max(0.0, (until - start).total_seconds())


def _parse_date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
