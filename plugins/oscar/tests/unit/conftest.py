from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.test import Client
from django.urls import reverse
from oscar.test.factories import OrderFactory
from tua_pay import Checkout, Refund, Transaction, TuaApiError
from tua_pay.errors import Problem
from tua_pay.testing import SignedDelivery, example_event

from tua_pay_oscar import checkouts, reconcile, refunds
from tua_pay_oscar.models import Payment


@pytest.fixture
def order(db: Any) -> Any:
    return OrderFactory(
        status="Waiting for payment",
        currency="GHS",
        total_incl_tax=Decimal("18.00"),
        total_excl_tax=Decimal("18.00"),
    )


@pytest.fixture
def payment(order: Any) -> Payment:
    """A payment whose payer was sent to the hosted page."""
    return add_payment(order)


def add_payment(order: Any, attempt: int = 1, **fields: Any) -> Payment:
    values = {
        "attempt": attempt,
        "amount": Decimal("18.00"),
        "email": "ama@example.com",
        "return_url": "https://shop.example/",
        "mode": "test",
        "state": "OPEN",
        "checkout_id": f"chk_{order.pk}_{attempt}",
    }
    return order.tua_payments.create(**values | fields)


def charge_of(checkout_id: str | None, status: str, **changes: Any) -> Transaction:
    """A charge of a checkout as Tua reports it."""
    kind = "successful" if status == "SUCCESSFUL" else "failed"
    data = example_event(f"charge.{kind}")["data"]
    told = {"checkoutId": checkout_id, "status": status}
    return Transaction.model_validate(data | told | changes)


def checkout_of(payment: Payment, status: str, amount: str = "18.00", **changes: Any) -> Checkout:
    """A checkout as Tua reports it."""
    data = example_event("checkout.paid")["data"]
    charge = data["transaction"] | {"transactionId": f"txn_{payment.checkout_id}"}
    told = {"checkoutId": payment.checkout_id, "status": status, "amount": Decimal(amount)}
    charges = {"transaction": charge, "paidTransaction": charge}
    return Checkout.model_validate(data | charges | told | changes)


def unpaid_of(payment: Payment, **changes: Any) -> Checkout:
    """A checkout whose operator contradicted itself, until a review found that no money arrived."""
    decided = conflict_with("SUCCESSFUL", "FAILED")
    charge = charge_of(payment.checkout_id, "FAILED", conflict=decided)
    charges = {"transaction": charge, "paidTransaction": None}
    return checkout_of(payment, "PAID", **charges | changes)


def conflict_with(observed: str, decision: str | None = None) -> dict[str, Any]:
    """What contradicts the outcome of a charge or a refund."""
    return {"observed": observed, "at": "2026-11-27T10:00:00.000Z", "decision": decision}


def refund_of(refund_id: str, status: str, conflict: dict[str, Any] | None = None) -> Refund:
    """A refund as Tua reports it."""
    kind = {"SUCCESSFUL": "successful", "FAILED": "failed", "PENDING": "pending"}[status]
    data = example_event(f"refund.{kind}")["data"]
    return Refund.model_validate(data | {"refundId": refund_id, "conflict": conflict})


def refusal() -> TuaApiError:
    """What the SDK raises where Tua refuses the key of a request that may have been sent before."""
    detail = "The key is not valid."
    problem = Problem(401, "invalid_credentials", "Not authenticated", detail, "req_1", ())
    return TuaApiError(problem, None, outcome_unknown=True, idempotency_key="key")


def event_of(type: str, **data: Any) -> dict[str, Any]:
    """An event with this data."""
    event = example_event(type)
    return event | {"data": event["data"] | data}


def deliver(client: Client, delivery: SignedDelivery) -> int:
    """Sends a webhook to the shop. Returns the status of its response."""
    headers = {name: value for name, value in delivery.headers.items() if name != "content-type"}
    url = reverse("tua:webhook")
    return client.post(url, delivery.body, "application/json", headers=headers).status_code


@pytest.fixture
def tua(monkeypatch: pytest.MonkeyPatch) -> MagicMock:
    """The client of the service, which responds as a test says."""
    fake = MagicMock()

    @contextmanager
    def client(_total_timeout: float = 1.0) -> Iterator[MagicMock]:
        yield fake

    for module in (checkouts, reconcile, refunds):
        monkeypatch.setattr(module, "client", client)
    return fake


def errors_of(order: Any) -> list[str]:
    """What people of the shop must look at."""
    return [note.message for note in order.notes.filter(note_type="Error")]
