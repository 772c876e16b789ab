"""Verifies webhooks, as Standard Webhooks 1.0 specifies."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .amount import decode
from .errors import TuaUsageError, TuaWebhookError
from .events import Event, make_event

_SECRET = re.compile(r"whsec_([A-Za-z0-9+/]{22,}={0,2})")
_CLOCK_HINT = "Compare this machine's clock (NTP). An old delivery may also be one that somebody recorded."

EventHandler = Callable[[Event], Any]
"""What the shop does with an event. Where it raises, the service sends the event again."""


class Webhook:
    """Verifies the webhooks of one endpoint.

    `secrets` is the secret of the endpoint, `whsec_…`; while it is being rotated, the new one and the old one.
    `tolerance` is how far the time of a delivery may be from this machine's clock, in seconds.
    """

    def __init__(self, secrets: str | Iterable[str], *, tolerance: float = 300) -> None:
        values = [secrets] if isinstance(secrets, str) or not isinstance(secrets, Iterable) else list(secrets)
        if not values:
            raise TuaUsageError("A webhook needs a secret: the whsec_… that `tua webhook add` printed.")
        if not tolerance > 0:
            raise TuaUsageError("tolerance is a number of seconds above 0.")
        self.__secrets = [_read_secret(value) for value in values]
        self._tolerance = tolerance

    def verify(self, body: bytes | str, headers: Mapping[str, str], *, now: float | None = None) -> Event:
        """The event of a delivery, if its signature is right. `body` is the bytes as they arrived, before anything parsed
        them. Raises TuaWebhookError otherwise. `now` is seconds since 1970, for tests."""
        if not isinstance(body, bytes | bytearray | memoryview | str):
            raise body_parsed("Pass the bytes of the body.")
        content = body.encode() if isinstance(body, str) else bytes(body)
        lower = {name.lower(): value for name, value in headers.items()}
        id = _header(lower, "webhook-id")
        timestamp = _header(lower, "webhook-timestamp")
        signatures = _header(lower, "webhook-signature")
        self._check_time(timestamp, time.time() if now is None else now)
        signed = f"{id}.{timestamp}.".encode() + content
        expected = [hmac.new(secret, signed, hashlib.sha256).digest() for secret in self.__secrets]
        matches = [hmac.compare_digest(one, other) for one in expected for other in _read_signatures(signatures)]
        if True not in matches:
            raise TuaWebhookError(
                "signature_mismatch",
                "The signature does not match. Either the secret of Webhook (TUA_WEBHOOK_SECRET in the examples) is not the "
                "one that tua webhook add, tua webhook rotate or tua listen printed, or the body was changed before it was "
                "verified: verify the bytes as they arrived, before a framework parses them.",
            )
        return _read_event(id, content)

    def _check_time(self, timestamp: str, now: float) -> None:
        if not re.fullmatch(r"[0-9]{1,12}", timestamp):
            raise TuaWebhookError("invalid_timestamp", "webhook-timestamp is not a number of seconds since 1970.")
        age = now - int(timestamp)
        if age > self._tolerance:
            raise TuaWebhookError("timestamp_too_old", f"The delivery is {age:.0f} s older than this clock. {_CLOCK_HINT}")
        if age < -self._tolerance:
            raise TuaWebhookError("timestamp_too_new", f"The delivery is {-age:.0f} s ahead of this clock. {_CLOCK_HINT}")


def body_parsed(advice: str) -> TuaWebhookError:
    """The refusal of a body that something has parsed. `advice` names what to change."""
    message = f"The body was parsed before it was verified, so its bytes are lost. {advice}"
    return TuaWebhookError("body_parsed", f"{message} The signature covers the exact bytes.")


MAX_BODY_BYTES = 1_048_576
"""The longest body of a webhook, in bytes. The service sends far less."""


def body_too_large() -> TuaWebhookError:
    """The refusal of a body that is longer than any of the service."""
    return TuaWebhookError("body_too_large", "The body has more than 1 MiB. This is no webhook of Tua.")


def _read_secret(secret: str) -> bytes:
    match = _SECRET.fullmatch(secret) if isinstance(secret, str) else None
    try:
        if match:
            return base64.b64decode(match[1], validate=True)
    except binascii.Error:
        pass
    raise TuaUsageError("A webhook secret is whsec_ and base64, as `tua webhook add` printed it, without spaces.")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise TuaWebhookError("header_missing", f"The header {name} is absent. This is no webhook of Tua.")
    return value


def _read_signatures(text: str) -> list[bytes]:
    signatures = []
    for part in text.split(" "):
        if part.startswith("v1,"):
            try:
                signatures.append(base64.b64decode(part[3:], validate=True))
            except (binascii.Error, ValueError):
                continue
    return signatures


def _read_event(id: str, content: bytes) -> Event:
    try:
        body = decode(content)
        type, timestamp, data = body["type"], body["timestamp"], body["data"]
        if not (isinstance(type, str) and isinstance(timestamp, str) and isinstance(data, dict)):
            raise ValueError("a member has the wrong type")
        return make_event(id, type, timestamp, data)
    except (ValueError, KeyError, RecursionError) as error:
        raise TuaWebhookError("invalid_body", "The signature is right, but the body is not an event of Tua.") from error
