"""The errors that this package raises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


class TuaError(Exception):
    """The class of every error of this package."""


class TuaUsageError(TuaError):
    """The package was used wrongly: nothing was sent. The message names what to change."""


@dataclass(frozen=True)
class Fault:
    """One fault of a request: where it is (a JSON pointer), its code, and a sentence for people."""

    pointer: str
    code: str
    detail: str


@dataclass(frozen=True)
class Problem:
    """A refusal as the service describes it (RFC 9457)."""

    status: int
    code: str
    title: str
    detail: str
    request_id: str | None
    errors: tuple[Fault, ...]


_SHOWN_FAULTS = 5
_LONGEST_TEXT = 200


def _describe(problem: Problem) -> str:
    """The detail of a refusal and its first faults, each with the member that it is about."""
    faults = problem.errors
    shown = [f"{fault.pointer[:_LONGEST_TEXT]}: {fault.detail[:_LONGEST_TEXT]}" for fault in faults[:_SHOWN_FAULTS]]
    if len(faults) > _SHOWN_FAULTS:
        shown.append(f"And {len(faults) - _SHOWN_FAULTS} more.")
    # The detail of a request with one fault is that of the fault.
    is_repeated = [fault.detail for fault in faults] == [problem.detail]
    return " ".join(shown if is_repeated else [problem.detail, *shown])


class TuaRequestError(TuaError):
    """A request that was sent and has no usable result."""

    def __init__(self, message: str, *, outcome_unknown: bool, idempotency_key: str | None) -> None:
        super().__init__(message)
        self.outcome_unknown = outcome_unknown
        """Whether the request may have been executed. True after a broken connection, a timeout or a 5xx of a request
        that begins or changes something. With a key of the caller it is also true where the service refused before it
        read the key (401, 403, 408, 413, 429, 503): an earlier call with this key may have been executed. Repeat it
        later with the same idempotency_key, and tell nobody that no money moved."""
        self.idempotency_key = idempotency_key
        """The Idempotency-Key of the request; None for a request that has none."""


class TuaApiError(TuaRequestError):
    """The service refused the request. `code` is the reason; new codes may be added."""

    def __init__(
        self, problem: Problem, retry_after: float | None, *, outcome_unknown: bool, idempotency_key: str | None
    ) -> None:
        request = f" (request {problem.request_id})" if problem.request_id else ""
        message = f"{problem.code}: {_describe(problem)}{request}"
        super().__init__(message, outcome_unknown=outcome_unknown, idempotency_key=idempotency_key)
        self.status = problem.status
        """The HTTP status, 400 to 599."""
        self.code = problem.code
        self.title = problem.title
        self.detail = problem.detail
        self.request_id = problem.request_id
        """Quote it when you ask for help: the service's log has it too."""
        self.errors = problem.errors
        """Every fault of the body or the query; empty where there is none."""
        self.retry_after = retry_after
        """Seconds until the service takes the request again, from Retry-After; None where it gave none."""


class TuaConnectionError(TuaRequestError):
    """No response arrived: the connection failed, broke, or the time was over."""


class TuaUnexpectedResponseError(TuaRequestError):
    """A response arrived that is not the service's: a page in HTML, half a document, a redirect, or the response to
    another request. Nothing of it was used."""

    def __init__(self, message: str, status: int, *, outcome_unknown: bool, idempotency_key: str | None) -> None:
        super().__init__(message, outcome_unknown=outcome_unknown, idempotency_key=idempotency_key)
        self.status = status
        """The HTTP status of this response."""


WebhookErrorCode = Literal[
    "body_parsed",
    "body_too_large",
    "header_missing",
    "invalid_timestamp",
    "timestamp_too_old",
    "timestamp_too_new",
    "signature_mismatch",
    "invalid_body",
]


class TuaWebhookError(TuaError):
    """A webhook that was not verified. Answer 400, and use nothing of it."""

    def __init__(self, code: WebhookErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: WebhookErrorCode = code
