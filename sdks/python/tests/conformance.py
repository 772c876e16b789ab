"""Starts the server and the service of sdks/conformance, and calls the client for a case."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import httpx
from pydantic import BaseModel

import tua_pay

FOLDER = Path(__file__).parent.parent.parent / "conformance"
KEY = "tua_test_v2_conformance"
KINDS: dict[str, type[tua_pay.TuaError]] = {
    "api": tua_pay.TuaApiError,
    "connection": tua_pay.TuaConnectionError,
    "unexpected": tua_pay.TuaUnexpectedResponseError,
    "usage": tua_pay.TuaUsageError,
}
_TAKES_ID = {"get", "get_batch", "cancel", "close", "wait", "disable", "remove", "advance_clock"}
_TAKES_ID_AND_KEYWORDS = {"rotate", "enable"}


def read(name: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = json.loads((FOLDER / name).read_text("utf-8"))
    return items


@contextmanager
def program(name: str) -> Iterator[str]:
    """A program of the folder while it runs: the line that it prints first."""
    child = subprocess.Popen(["node", FOLDER / name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdin is not None and child.stdout is not None
    try:
        yield child.stdout.readline().strip()
    finally:
        child.stdin.close()
        child.wait(10)
        child.stdout.close()


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def snake_keys(value: Any) -> Any:
    if isinstance(value, list):
        return [snake_keys(item) for item in value]
    if isinstance(value, dict):
        return {snake(name): member if name == "metadata" else snake_keys(member) for name, member in value.items()}
    return value


def client_options(case: dict[str, Any], base_url: str) -> dict[str, Any]:
    options: dict[str, Any] = {"secret_key": case.get("secretKey", KEY), "base_url": base_url}
    for name, value in case.get("client", {}).items():
        in_seconds = name.endswith("Ms")
        options[snake(name.removesuffix("Ms"))] = value / 1000 if in_seconds else value
    return options


def arguments(case: dict[str, Any]) -> tuple[str, str, list[Any], dict[str, Any]]:
    """The resource, the method and its arguments."""
    resource, method = snake(case["call"]).split(".")
    options = case.get("options", {})
    keywords = {"timeout": options["timeoutMs"] / 1000} if "timeoutMs" in options else snake_keys(options)
    args = case["args"]
    if method in _TAKES_ID:
        return resource, method, list(args.values()), keywords
    first, *others = args or {"": None}
    if method in _TAKES_ID_AND_KEYWORDS:
        return resource, method, [args[first]], {snake(name): args[name] for name in others} | keywords
    named = {name: member for name, member in args.items() if name != "take"}
    return resource, method, [], snake_keys(named) | keywords


def plain(value: Any) -> Any:
    """A result as the case describes it: names in camel case, money as text."""
    if is_dataclass(value):
        return {member.name: plain(getattr(value, member.name)) for member in fields(value)}
    if isinstance(value, BaseModel):
        return plain(value.model_dump(by_alias=True))
    if isinstance(value, dict):
        return {name: member if name == "metadata" else plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Decimal) else value


def identifier(item: Any) -> str:
    match item:
        case tua_pay.TransactionEvent() | tua_pay.UnknownEvent():
            return item.id
        case tua_pay.WebhookEndpoint():
            return item.endpoint_id
        case tua_pay.Refund():
            return str(item.refund_id)
        case tua_pay.Checkout():
            return str(item.checkout_id)
        case _:
            return str(item.transaction_id)


def check(case: dict[str, Any], value: Any, error: tua_pay.TuaError | None) -> None:
    expect = case["expect"]
    if "error" not in expect:
        if error is not None:
            raise error
        assert_members(plain(value), expect["value"])
        return
    assert error is not None, f"there is no error, but {value!r}"
    members = dict(expect["error"])
    assert type(error) is KINDS[members.pop("kind")], f"{error!r} is of another kind"
    shown = repr(error) + str(error) + repr(error.__cause__)
    key = case.get("secretKey", KEY)
    assert key not in shown
    assert case["args"].get("phoneNumber", "no phone number") not in shown
    if isinstance(error.__cause__, httpx.RequestError):
        assert key not in str(error.__cause__.request.headers.raw)
    pointers, keyed = members.pop("pointers", None), members.pop("keyed", False)
    if pointers is not None:
        assert isinstance(error, tua_pay.TuaApiError)
        assert [fault.pointer for fault in error.errors] == pointers
    if keyed:
        assert isinstance(error, tua_pay.TuaRequestError) and len(error.idempotency_key or "") >= 16
    for name, member in members.items():
        assert getattr(error, snake(name)) == member, name


def assert_members(value: Any, members: dict[str, Any]) -> None:
    """The value has these members; it may have more."""
    for name, member in members.items():
        found = value[int(name)] if isinstance(value, list) else value[name]
        if isinstance(member, dict):
            assert_members(found, member)
        else:
            assert found == member, name
