"""The options of a client."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from .errors import TuaUsageError

_KEY = re.compile(r"tua_(test|live)_v2_[A-Za-z0-9_-]+")
_LOOPBACK = re.compile(r"localhost|127(\.[0-9]{1,3}){3}|::1")


class SecretKey(httpx.Auth):
    """Adds the key to requests. Its `repr` does not show the key."""

    def __init__(self, key: str) -> None:
        self.__key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["x-api-key"] = self.__key
        yield request


@dataclass(frozen=True)
class Config:
    """Checked options. Times are in seconds."""

    auth: SecretKey = field(repr=False)
    base_url: str
    timeout: float
    total_timeout: float
    max_retries: int


def read_options(secret_key: str, base_url: str, timeout: float, total_timeout: float, max_retries: int) -> Config:
    """Checks the options of a client. No message contains the key."""
    if sys.platform == "emscripten":
        raise TuaUsageError(
            "This is a browser, where everybody can read a secret key. Create the checkout on your server, and give the "
            "page its checkout_token only."
        )
    if not isinstance(secret_key, str) or not _KEY.fullmatch(secret_key):
        if str(secret_key).startswith("tua_checkout_"):
            raise TuaUsageError(
                "secret_key is a checkout token, which is for the payer's browser. Use the secret key tua_test_v2_… "
                "or tua_live_v2_…."
            )
        if str(secret_key).startswith(("sk_test_", "sk_live_")):
            raise TuaUsageError(
                "secret_key is a key of the first generation (sk_…), which this package cannot use: a v2 key is needed. Use "
                "the one that begins with tua_test_v2_ or tua_live_v2_; `tua key create` makes one."
            )
        raise TuaUsageError(
            "secret_key is not a secret key of Tua: it begins with tua_test_v2_ or tua_live_v2_, without spaces or quotes."
        )
    url = urlsplit(base_url)
    if url.scheme not in ("https", "http") or not url.hostname:
        raise TuaUsageError(f"base_url is {base_url!r}. It is the API root, such as https://pay.example/v1.")
    if url.username is not None or url.query or url.fragment:
        raise TuaUsageError("base_url has no user name, query or fragment.")
    if not url.path.rstrip("/").endswith("/v1"):
        raise TuaUsageError(f"base_url must end with /v1: write {url.scheme}://{url.netloc}/v1")
    if url.scheme == "http" and secret_key.startswith("tua_live_") and not _LOOPBACK.fullmatch(url.hostname):
        raise TuaUsageError("A live key is sent over https only: change base_url to https://….")
    for name, value in (("timeout", timeout), ("total_timeout", total_timeout), ("max_retries", max_retries)):
        if not 0 <= value < float("inf"):
            raise TuaUsageError(f"{name} is {value}. It is a number from 0.")
    return Config(SecretKey(secret_key), base_url.rstrip("/"), timeout, total_timeout, max_retries)
