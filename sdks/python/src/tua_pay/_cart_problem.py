"""A cart that is refused, as a problem document (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import Fault

_TITLES = {
    "body_too_large": "The body is too large",
    "donation_out_of_range": "The donation is too small or too large",
    "duplicate_sku": "An item appears twice",
    "empty_cart": "The cart is empty",
    "field_not_allowed": "A field is not allowed here",
    "field_required": "A required field is missing",
    "internal_error": "The service failed",
    "invalid_amount": "The amount is not valid",
    "invalid_email": "The e-mail address is not valid",
    "invalid_metadata": "The metadata is not valid",
    "invalid_quantity": "A quantity is not valid",
    "invalid_text": "A text is not valid",
    "invalid_type": "A value has the wrong JSON type",
    "malformed_json": "The body is not valid JSON",
    "rate_limited": "Too many requests",
    "too_long": "A text is too long",
    "too_many_items": "The cart has too many items",
    "unknown_field": "A field does not exist",
    "unknown_sku": "The shop does not sell this item",
    "unsupported_media_type": "The Content-Type or Content-Encoding is not supported",
    "upstream_refused": "The payment service refused the shop's request",
    "upstream_unavailable": "The payment service is not available",
    "validation_failed": "Several fields are not valid",
}


def is_known_code(code: str) -> bool:
    """Whether a page knows the code."""
    return code in _TITLES


class CartProblem(Exception):
    """A cart that is refused. `reason` is for the log of the shop, and leaves it nowhere else."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Sequence[Fault] = (),
        reason: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors
        self.reason = reason
        self.headers = headers or {}

    @classmethod
    def of(cls, faults: Sequence[Fault]) -> CartProblem:
        """The refusal of a cart with these faults. The code and the detail of a single fault are those of the request."""
        if len(faults) == 1:
            return cls(422, faults[0].code, faults[0].detail, errors=faults)
        return cls(422, "validation_failed", f"{len(faults)} fields are not valid. See errors.", errors=faults)

    def write(self, error_pages: str) -> str:
        """The document. `error_pages` is the address of the service's pages about codes."""
        document: dict[str, Any] = {
            "type": error_pages + self.code,
            "title": _TITLES.get(self.code, "Error"),
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        if self.errors:
            document["errors"] = [vars(fault) for fault in self.errors]
        return json.dumps(document)
