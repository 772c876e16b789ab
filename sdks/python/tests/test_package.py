"""Secrets, statuses and amounts, and the built wheel."""

from __future__ import annotations

import base64
import copy
import inspect
import json
import os
import pickle
import sys
from collections.abc import Callable
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any, Generic, TypeVar, assert_never

import pytest
from conformance import snake

import tua_pay
from tua_pay import AsyncTua, BatchStatus, CheckoutStatus, PayoutRequest, Status, Tua, TuaUsageError, Webhook
from tua_pay._base import Model
from tua_pay._sync_checkouts import Checkouts, Links, Quotes
from tua_pay._sync_events import Events
from tua_pay._sync_payments import Charges, Payouts, Refunds, Transactions
from tua_pay._sync_sandbox import Sandbox
from tua_pay._sync_webhook_endpoints import WebhookEndpoints
from tua_pay.amount import amount_text

KEY = "tua_live_v2_topsecret"
BASE_URL = "https://pay.example/v1"
DOCUMENT = json.loads((Path(__file__).parent / "../../../docs/openapi.json").read_text("utf-8"))


def test_a_client_shows_no_key() -> None:
    for client in (Tua(secret_key=KEY, base_url=BASE_URL), AsyncTua(secret_key=KEY, base_url=BASE_URL)):
        transport = client._transport
        assert "topsecret" not in repr(client) + repr(vars(client)) + repr(vars(transport)) + repr(transport.config)


def test_a_refused_option_shows_no_key() -> None:
    with pytest.raises(TuaUsageError) as caught:
        Tua(secret_key=KEY, base_url="http://pay.example/v1")
    assert "topsecret" not in str(caught.value)


def test_a_webhook_shows_no_secret() -> None:
    secret = base64.b64encode(b"s" * 32).decode()
    assert secret not in repr(Webhook(f"whsec_{secret}"))
    with pytest.raises(TuaUsageError) as caught:
        Webhook("whsec_ topsecret")
    assert "topsecret" not in str(caught.value)


@pytest.mark.parametrize("secret", [None, 17, "", b"whsec_", [None]])
def test_a_webhook_without_a_secret_is_refused(secret: Any) -> None:
    with pytest.raises(TuaUsageError, match="A webhook secret is whsec_"):
        Webhook(secret)


@pytest.mark.parametrize(
    ("address", "right"),
    [
        ("http://127.0.0.1:9280", "http://127.0.0.1:9280/v1"),
        ("https://pay.example/", "https://pay.example/v1"),
        ("https://[::1]:8080/v1/checkout", "https://[::1]:8080/v1"),
    ],
)
def test_an_address_without_its_version_is_refused_with_the_right_one(address: str, right: str) -> None:
    with pytest.raises(TuaUsageError) as caught:
        Tua(secret_key=KEY, base_url=address)
    assert str(caught.value) == f"base_url must end with /v1: write {right}"


@pytest.mark.parametrize("key", ["sk_test_topsecret", "sk_live_topsecret", "sk_live_top secret"])
def test_a_key_of_the_first_generation_is_refused(key: str) -> None:
    with pytest.raises(TuaUsageError, match="a v2 key is needed") as caught:
        Tua(secret_key=key, base_url=BASE_URL)
    assert "top" not in str(caught.value)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_a_live_key_goes_over_http_to_this_machine(host: str) -> None:
    Tua(secret_key=KEY, base_url=f"http://{host}:8080/v1")


def test_a_browser_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(TuaUsageError, match="browser"):
        Tua(secret_key=KEY, base_url=BASE_URL)


@pytest.mark.parametrize("status", [*Status, *CheckoutStatus, *BatchStatus])
def test_a_status_is_no_truth_value(status: Status) -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(status)


@pytest.mark.parametrize("status", [*Status, *CheckoutStatus, *BatchStatus])
def test_a_status_is_no_text(status: Status) -> None:
    texts: list[Any] = [status.value, status.value.lower(), "", "another"]
    for text in texts:
        compared: list[Callable[[Any], bool]] = [status.__eq__, lambda it: it == status, lambda it: status in (it,)]
        for compare in [*compared, status.__ne__]:
            with pytest.raises(TypeError, match=f"is no text.*is {type(status).__name__}"):
                compare(text)
    value: Any = status.value
    with pytest.raises(TypeError, match=f"is {type(status).__name__}.{value}"):
        assert status not in {value}
    with pytest.raises(TypeError, match=f"is {type(status).__name__}.{value}"):
        {value: 1}.get(status)


@pytest.mark.parametrize("status", [*Status, *CheckoutStatus, *BatchStatus])
def test_a_status_is_compared_with_members(status: Status) -> None:
    members = list(type(status))
    others = [member for member in members if member is not status]
    assert status == type(status)(status.value) and status in members and status not in others
    assert {member: member.name for member in members}[status] == status.name and len({*members, status}) == len(members)
    assert copy.deepcopy(status) is pickle.loads(pickle.dumps(status)) is status
    numbers: list[Any] = [17, None]
    assert all(status != other for other in [*numbers, *others])
    kind: Any = StatusOf[type(status)]  # type: ignore[misc]
    model = kind.model_validate({"status": status.value})
    assert (
        model.status is status and model == model.model_copy() and model.model_dump(mode="json") == {"status": status.value}
    )


Kind = TypeVar("Kind")


class StatusOf(Model, Generic[Kind]):
    status: Kind


def test_amounts_are_exact() -> None:
    for pesewas in range(10_001):
        amount = Decimal(pesewas).scaleb(-2)
        assert Decimal(amount_text(amount)) == amount
    for wrong in (0.5, 1, True, None, Decimal("NaN"), Decimal("Infinity"), Decimal("0.001"), Decimal("-1"), "1_0"):
        with pytest.raises(TuaUsageError):
            amount_text(wrong)


def test_sums_do_not_depend_on_the_shops_decimal_context() -> None:
    with localcontext(prec=6):
        assert OpenedSum.model_validate({"amount": Decimal("123456789.10")}).amount == Decimal("123456789.10")
        with pytest.raises(ValueError, match="larger than any"):
            OpenedSum.model_validate({"amount": Decimal("1e400")})


class OpenedSum(Model):
    amount: Decimal


def test_an_idempotency_key_that_is_no_text_is_refused() -> None:
    key: Any = 17
    with Tua(secret_key=KEY, base_url=BASE_URL) as tua, pytest.raises(TuaUsageError):
        tua.charges.create(amount="1.00", phone_number="0241234567", network="MTN", idempotency_key=key)


def describe(status: Status) -> str:
    """mypy checks that every case is here."""
    match status:
        case Status.PENDING:
            return "not known yet"
        case Status.SUCCESSFUL:
            return "paid"
        case Status.FAILED:
            return "failed"
        case _:
            assert_never(status)


def test_every_status_has_a_case() -> None:
    assert len({describe(status) for status in Status}) == 3


@pytest.mark.skipif("TUA_PACKED" not in os.environ, reason="TUA_PACKED is not set: see scripts/test_packed.py")
def test_the_package_is_the_packed_one() -> None:
    site = Path(os.environ["TUA_PACKED"])
    assert Path(tua_pay.__file__).parent == site / "tua_pay"
    names = {str(path.relative_to(site)).partition("/")[2] for path in site.rglob("*")}
    assert {"py.typed", "events.json", "licenses/LICENSE-APACHE", "licenses/LICENSE-MIT"} <= names


OPTIONS = {"self", "endpoint_id", "idempotency_key", "total_timeout", "page_size"}
ROUTES: list[tuple[Callable[..., Any], str]] = [
    (Charges.create, "ChargeRequest"),
    (Charges.submit_code, "CodeRequest"),
    (Payouts.create, "PayoutRequest"),
    (Payouts.create_batch, "PayoutBatchRequest"),
    (Refunds.create, "RefundRequest"),
    (Checkouts.create, "CheckoutRequest"),
    (Links.create, "LinkRequest"),
    (Quotes.create, "QuoteRequest"),
    (WebhookEndpoints.create, "WebhookEndpointRequest"),
    (WebhookEndpoints.rotate, "RotateWebhookSecretRequest"),
    (WebhookEndpoints.enable, "EnableWebhookEndpointRequest"),
    (Sandbox.advance_clock, "AdvanceSandboxClockRequest"),
]


@pytest.mark.parametrize(("method", "schema"), ROUTES, ids=[schema for _, schema in ROUTES])
def test_the_arguments_are_those_of_the_document(method: Callable[..., Any], schema: str) -> None:
    members = DOCUMENT["components"]["schemas"][schema]["properties"].keys() - {"currency"}
    assert set(inspect.signature(method).parameters) - OPTIONS == {snake(member) for member in members}


def test_the_filters_are_those_of_the_document() -> None:
    assert filters(Transactions.list) == query_parameters("/transactions")
    assert filters(Events.list) == query_parameters("/events") - {"after", "wait"}
    assert filters(Events.follow) - {"stop", "wait_seconds"} == query_parameters("/events") - {"from", "to", "wait"}


def filters(method: Callable[..., Any]) -> set[str]:
    return {name.removesuffix("_") for name in inspect.signature(method).parameters} - OPTIONS


def query_parameters(path: str) -> set[str]:
    parameters = DOCUMENT["paths"][path]["get"]["parameters"]
    return {snake(item["name"]) for item in parameters if item["in"] == "query"} - {"limit", "cursor"}


def test_the_members_of_a_payout_in_a_batch_are_those_of_the_document() -> None:
    members = DOCUMENT["components"]["schemas"]["PayoutRequest"]["properties"].keys() - {"currency"}
    assert PayoutRequest.__annotations__.keys() == {snake(member) for member in members}
