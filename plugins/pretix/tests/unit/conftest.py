from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now
from django_scopes import scopes_disabled
from pretix.base.models import Event, Order, OrderPosition, Organizer
from tua_pay import Checkout, Refund, Transaction, TuaApiError, TuaConnectionError
from tua_pay.errors import Problem
from tua_pay.testing import SignedDelivery, example_event

from tua_pay_pretix import checkouts, closing, refunds
from tua_pay_pretix.attention import ACTION, describe
from tua_pay_pretix.models import Attempt

TEST_KEY = "tua_test_v2_0123456789abcdef"
LIVE_KEY = "tua_live_v2_0123456789abcdef"
TEST_SECRET = "whsec_" + "A" * 32
LIVE_SECRET = "whsec_" + "B" * 32


@pytest.fixture(autouse=True)
def without_scopes(settings: Any) -> Iterator[None]:
    settings.ALLOW_HTTP_TO_PRIVATE_NETWORKS = True
    with scopes_disabled():
        yield


@pytest.fixture
def event(db: Any) -> Any:
    """An event in test mode that sells one ticket for 18 cedis, of which there are 2."""
    organizer = Organizer.objects.create(name="Adom", slug="adom")
    return create_event(organizer, "summit")


def create_event(organizer: Any, slug: str, currency: str = "GHS") -> Any:
    created = Event.objects.create(
        organizer=organizer,
        name="Summit",
        slug=slug,
        currency=currency,
        date_from=now() + timedelta(days=60),
        plugins="tua_pay_pretix",
        live=True,
        testmode=True,
    )
    for name, value in {
        "_enabled": True,
        # Nothing listens there.
        "base_url": "http://127.0.0.1:1/v1",
        "secret_key_test": TEST_KEY,
        "webhook_secret_test": TEST_SECRET,
        "secret_key_live": "",
        "webhook_secret_live": LIVE_SECRET,
    }.items():
        created.settings.set(f"payment_tua_{name}", value)
    item = created.items.create(name="Ticket", default_price=Decimal("18.00"))
    quota = created.quotas.create(name="Tickets", size=2)
    quota.items.add(item)
    return created


def create_order(event: Any, code: str = "TUA01", **fields: Any) -> Any:
    values = {
        "code": code,
        "email": "ama@example.com",
        "status": Order.STATUS_PENDING,
        "testmode": True,
        "datetime": now(),
        "expires": now() + timedelta(days=10),
        "total": Decimal("18.00"),
        "locale": "en",
        "sales_channel": event.organizer.sales_channels.get(identifier="web"),
    }
    order = event.orders.create(**values | fields)
    OrderPosition.objects.create(
        order=order, item=event.items.get(), variation=None, price=order.total, positionid=1
    )
    return order


@pytest.fixture
def order(event: Any) -> Any:
    return create_order(event)


@pytest.fixture
def payment(order: Any) -> Any:
    """A payment of pretix that the payer has chosen."""
    return add_payment(order)


def add_payment(order: Any, provider: str = "tua") -> Any:
    return order.payments.create(provider=provider, state="created", amount=order.total)


@pytest.fixture
def attempt(payment: Any) -> Attempt:
    """An attempt whose payer was sent to the hosted page."""
    return add_attempt(payment)


def add_attempt(payment: Any, number: int = 1, **fields: Any) -> Attempt:
    values = {
        "number": number,
        "amount": payment.amount,
        "email": "ama@example.com",
        "return_url": "https://shop.example/",
        "mode": "test",
        "state": "OPEN",
        "checkout_id": f"chk_{payment.pk}_{number}",
    }
    return payment.tua_attempts.create(**values | fields)


def charge_of(checkout_id: str | None, status: str, **changes: Any) -> Transaction:
    """A charge of a checkout as Tua reports it."""
    kind = "successful" if status == "SUCCESSFUL" else "failed"
    data = example_event(f"charge.{kind}")["data"]
    told = {"checkoutId": checkout_id, "status": status}
    return Transaction.model_validate(data | told | changes)


def checkout_of(attempt: Attempt, status: str, amount: str = "18.00", **changes: Any) -> Checkout:
    """A checkout as Tua reports it."""
    data = example_event("checkout.paid")["data"]
    charge = data["transaction"] | {"transactionId": f"txn_{attempt.checkout_id}"}
    told = {"checkoutId": attempt.checkout_id, "status": status, "amount": Decimal(amount)}
    charges = {"transaction": charge, "paidTransaction": charge}
    return Checkout.model_validate(data | charges | {"mode": "test"} | told | changes)


def unpaid_of(attempt: Attempt, **changes: Any) -> Checkout:
    """A checkout whose operator contradicted itself, until a review found that no money arrived."""
    decided = conflict_with("SUCCESSFUL", "FAILED")
    charge = charge_of(attempt.checkout_id, "FAILED", conflict=decided)
    charges = {"transaction": charge, "paidTransaction": None}
    return checkout_of(attempt, "PAID", **charges | changes)


def conflict_with(observed: str, decision: str | None = None) -> dict[str, Any]:
    """What contradicts the outcome of a charge or a refund."""
    return {"observed": observed, "at": "2026-11-27T10:00:00.000Z", "decision": decision}


def refund_of(refund_id: str, status: str, conflict: dict[str, Any] | None = None) -> Refund:
    """A refund as Tua reports it."""
    kind = {"SUCCESSFUL": "successful", "FAILED": "failed", "PENDING": "pending"}[status]
    data = example_event(f"refund.{kind}")["data"]
    return Refund.model_validate(data | {"refundId": refund_id, "conflict": conflict})


def lost() -> TuaConnectionError:
    return TuaConnectionError("no response", outcome_unknown=True, idempotency_key="key")


def refusal() -> TuaApiError:
    """What the SDK raises where Tua refuses the key of a request that may have been sent before."""
    detail = "The key is not valid."
    problem = Problem(401, "invalid_credentials", "Not authenticated", detail, "req_1", ())
    return TuaApiError(problem, None, outcome_unknown=True, idempotency_key="key")


def event_of(type: str, **data: Any) -> dict[str, Any]:
    """An event of Tua with this data."""
    event = example_event(type)
    return event | {"data": event["data"] | data}


def webhook_path(event: Any, mode: str = "test") -> str:
    names = {"organizer": event.organizer.slug, "event": event.slug, "mode": mode}
    return reverse("plugins:tua_pay_pretix:webhook", kwargs=names)


def deliver(client: Client, path: str, delivery: SignedDelivery) -> int:
    """Sends a webhook to the shop. Returns the status of its response."""
    headers = {name: value for name, value in delivery.headers.items() if name != "content-type"}
    return client.post(path, delivery.body, "application/json", headers=headers).status_code


@pytest.fixture
def tua(monkeypatch: pytest.MonkeyPatch) -> MagicMock:
    """The client of the service, which responds as a test says."""
    fake = MagicMock()

    @contextmanager
    def client(_event: Any, mode: str, _total_timeout: float = 1.0) -> Iterator[MagicMock]:
        fake.mode = mode
        yield fake

    for module in (checkouts, closing, refunds):
        monkeypatch.setattr(module, "client", client)
    return fake


def flags_of(order: Any) -> list[str]:
    """What people of the shop must look at, oldest first."""
    entries = order.all_logentries().filter(action_type=ACTION).order_by("pk")
    return [describe(entry.parsed_data) for entry in entries]
