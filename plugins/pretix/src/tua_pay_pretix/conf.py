"""The settings of an event, and the client that they describe."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import urlsplit

from django.conf import settings
from pretix.helpers.ssrf import should_block_access
from tua_pay import Tua, TuaUsageError, Webhook

from .vault import decrypt

Mode = Literal["test", "live"]
"""Test payments move no money."""

MODES: tuple[Mode, Mode] = ("live", "test")

PROVIDER = "tua"
"""The identifier of the payment method in pretix."""

CURRENCY = "GHS"

_REQUEST_TIMEOUT = 15.0
"""How long a shopper or a member of staff waits for Tua, in seconds, with all attempts."""


def mode_of(order: Any) -> Mode:
    """The mode of an order: pretix fixes it when the order is placed."""
    return "test" if order.testmode else "live"


def read_setting(event: Any, name: str) -> str:
    """A setting of the payment method; the organiser's or the empty text where there is none."""
    return (event.settings.get(f"payment_{PROVIDER}_{name}", as_type=str) or "").strip()


def read_secret(event: Any, name: str) -> str:
    """A secret of the settings. Raises TuaUsageError where it can no longer be decrypted."""
    return decrypt(read_setting(event, name)).strip()


def is_key_of(mode: Mode, key: str) -> bool:
    """Whether a secret key is of a mode. The service decides whether it is valid. A key of the
    first generation, such as sk_test_…, cannot open a checkout."""
    return key.startswith(f"tua_{mode}_v2_")


def is_set_up(event: Any, mode: Mode) -> bool:
    """Whether the settings have what a payment of this mode needs. Nothing is sent."""
    try:
        _create_client(event, mode, _REQUEST_TIMEOUT).close()
    except TuaUsageError:
        return False
    return True


@contextmanager
def client(event: Any, mode: Mode, total_timeout: float = _REQUEST_TIMEOUT) -> Iterator[Tua]:
    """A client of the service. Raises TuaUsageError, which never shows the key, where a setting is
    wrong: then nothing was sent."""
    with _create_client(event, mode, total_timeout) as tua:
        check_address(read_setting(event, "base_url"))
        yield tua


def _create_client(event: Any, mode: Mode, total_timeout: float) -> Tua:
    key = read_secret(event, f"secret_key_{mode}")
    if not is_key_of(mode, key):
        raise TuaUsageError(f"The event has no secret key for {mode} payments.")
    base_url = read_setting(event, "base_url")
    return Tua(secret_key=key, base_url=base_url, total_timeout=total_timeout)


def check_address(base_url: str) -> None:
    """Raises TuaUsageError for an address in a private network, which an organiser must not reach
    through this server. `allow_http_to_private_networks` in pretix's configuration permits it."""
    host = urlsplit(base_url).hostname
    if host is None or settings.ALLOW_HTTP_TO_PRIVATE_NETWORKS:
        return
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        # The request fails too, and says so.
        return
    for address in found:
        is_blocked, reason = should_block_access(address[4])
        if is_blocked:
            raise TuaUsageError(str(reason))


def verifier(event: Any, mode: Mode) -> Webhook:
    """The verifier of the webhooks of a mode. Raises TuaUsageError where the secret is wrong. While
    a secret is rotated, the setting has the new and the old one with a space between them."""
    return Webhook(read_secret(event, f"webhook_secret_{mode}").split())
