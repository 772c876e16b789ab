"""Encrypts the secrets of an event with pretix's own secret key: a copy of the database alone does
not show them. pretix stores settings in clear, and also in the log of the event."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac
from tua_pay import TuaUsageError

_PREFIX = "encrypted:"


def encrypt(secret: str) -> str:
    """The text to store for a secret. It differs each time."""
    return _PREFIX + _cipher().encrypt(secret.encode()).decode()


def decrypt(stored: str) -> str:
    """The secret of a stored text. A text that is not encrypted, which code of the shop has stored,
    is the secret itself. Raises TuaUsageError where pretix has another secret key now."""
    if not stored.startswith(_PREFIX):
        return stored
    try:
        return _cipher().decrypt(stored.removeprefix(_PREFIX)).decode()
    except InvalidToken:
        message = "pretix has another secret key now: enter the secrets of mobile money again."
        raise TuaUsageError(message) from None


def _cipher() -> MultiFernet:
    """Also with an older secret key, as long as pretix's configuration has it."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_derive(key)) for key in keys])


def _derive(key: str) -> bytes:
    digest = salted_hmac("tua_pay_pretix.vault", "", secret=key, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest)
