"""The package against the real service: TUA_BIN is its binary."""

from __future__ import annotations

import base64
import json
import os
import time
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import anyio
import httpx
import pytest
from conformance import program

from tua_pay import AsyncTua, CheckoutStatus, Event, Status, TransactionEvent, Tua, TuaApiError, Webhook

pytestmark = pytest.mark.skipif("TUA_BIN" not in os.environ, reason="TUA_BIN is not set")
WALLET: dict[str, Any] = {"phone_number": "0241234567", "network": "MTN"}


@pytest.fixture(scope="module")
def service() -> Iterator[dict[str, str]]:
    with program("service.mjs") as line:
        yield json.loads(line)


@pytest.fixture(scope="module")
def tua(service: dict[str, str]) -> Iterator[Tua]:
    with Tua(secret_key=service["secretKey"], base_url=service["baseUrl"]) as client:
        yield client


def test_a_charge_is_paid_and_a_part_of_it_is_refunded(tua: Tua) -> None:
    charge = tua.charges.create(amount=Decimal("18.00"), reference="order-17", **WALLET)
    assert (charge.status, charge.next_action) == (Status.PENDING, "APPROVE_ON_PHONE")
    paid = tua.transactions.wait(charge.transaction_id)
    assert (paid.status, paid.amount, paid.reference) == (Status.SUCCESSFUL, Decimal("18.00"), "order-17")
    refund = tua.refunds.create(transaction_id=charge.transaction_id, amount="4.20")
    assert tua.refunds.wait(refund.refund_id).status is Status.SUCCESSFUL
    refunded = tua.transactions.get(charge.transaction_id)
    assert (refunded.refunded_amount, refunded.refundable_amount) == (Decimal("4.20"), Decimal("13.80"))
    assert len(list(tua.refunds.list(transaction_id=charge.transaction_id))) == 1


def test_a_charge_of_a_poor_wallet_fails_with_a_reason(tua: Tua) -> None:
    charge = tua.charges.create(amount="1.00", network="MTN", phone_number="0241230001")
    ended = tua.transactions.wait(charge.transaction_id)
    assert ended.status is Status.FAILED
    assert ended.failure is not None and ended.failure.code == "insufficient_funds"


def test_a_charge_that_nobody_approves_stays_pending(tua: Tua) -> None:
    charge = tua.charges.create(amount="1.00", network="MTN", phone_number="0241230007")
    assert tua.transactions.wait(charge.transaction_id, timeout=1.5).status is Status.PENDING


def test_a_voucher_is_submitted(tua: Tua) -> None:
    charge = tua.charges.create(amount="1.00", network="TELECEL", phone_number="0201234567")
    assert charge.next_action == "ENTER_VOUCHER"
    wrong = tua.charges.submit_code(transaction_id=charge.transaction_id, otp="654321")
    assert (wrong.status, wrong.code_attempts_left) == (Status.PENDING, 4)
    tua.charges.submit_code(transaction_id=charge.transaction_id, otp="123456")
    assert tua.transactions.wait(charge.transaction_id).status is Status.SUCCESSFUL


def test_the_same_key_begins_one_payment(service: dict[str, str]) -> None:
    async def twice() -> None:
        ids: list[str] = []

        async def create(tua: AsyncTua) -> None:
            charge = await tua.charges.create(amount="2.00", reference="order-18", idempotency_key="order-18-1", **WALLET)
            ids.append(charge.transaction_id)

        async with AsyncTua(secret_key=service["secretKey"], base_url=service["baseUrl"]) as tua:
            async with anyio.create_task_group() as group:
                group.start_soon(create, tua)
                group.start_soon(create, tua)
            assert ids[0] == ids[1]
            with pytest.raises(TuaApiError) as caught:
                await tua.charges.create(amount="3.00", idempotency_key="order-18-1", **WALLET)
            assert caught.value.code == "idempotency_key_reused"
            assert caught.value.outcome_unknown, "the other request was accepted"

    anyio.run(twice)


def test_lost_responses_begin_nothing_twice(tua: Tua, service: dict[str, str]) -> None:
    with Tua(secret_key=service["secretKey"], base_url=service["faultyBaseUrl"]) as faulty:
        charge = faulty.charges.create(amount="2.00", reference="lost-charge", **WALLET)
        payout = faulty.payouts.create(amount="2.00", reference="lost-payout", **WALLET)
        for begun in (charge, payout):
            found = list(tua.transactions.list(reference=begun.reference))
            assert [item.transaction_id for item in found] == [begun.transaction_id]
        assert faulty.transactions.wait(charge.transaction_id).status is Status.SUCCESSFUL
        refund = faulty.refunds.create(transaction_id=charge.transaction_id, amount="1.00")
        refunds = list(tua.refunds.list(transaction_id=charge.transaction_id))
        assert [item.refund_id for item in refunds] == [refund.refund_id]


def test_every_amount_to_one_cedi_is_quoted_as_it_is_sent(tua: Tua) -> None:
    for pesewas in range(1, 101):
        amount = Decimal(pesewas).scaleb(-2)
        assert tua.quotes.create(type="CHARGE", amount=amount, network="MTN").amount == amount


def test_a_checkout_is_opened_hidden_paid_and_closed(tua: Tua, service: dict[str, str]) -> None:
    metadata: dict[str, Any] = {"order": 19, "weight": Decimal("1.10")}
    opened = tua.checkouts.create(amount="10.50", email="ama@example.com", metadata=metadata)
    assert opened.checkout_token not in repr(opened) + str(opened)
    assert opened.checkout_token in opened.url
    headers = {"authorization": f"Bearer {opened.checkout_token}"}
    body = {"phoneNumber": "0241234567", "network": "MTN"}
    assert httpx.post(f"{service['baseUrl']}/charge", json=body, headers=headers).status_code == 202
    paid = tua.checkouts.wait(opened.checkout_id)
    assert (paid.status, paid.amount, paid.metadata) == (CheckoutStatus.PAID, Decimal("10.50"), metadata)
    second = tua.checkouts.create(amount="1.00", email="ama@example.com")
    assert tua.checkouts.close(second.checkout_id).status is CheckoutStatus.CLOSED


def test_payouts_batches_links_and_networks(tua: Tua) -> None:
    payout = tua.payouts.create(amount="5.00", **WALLET)
    assert tua.transactions.wait(payout.transaction_id).status is Status.SUCCESSFUL
    with pytest.raises(TuaApiError) as caught:
        tua.payouts.cancel(payout.transaction_id)
    assert caught.value.code == "not_cancellable"
    batch = tua.payouts.create_batch(
        payouts=[
            {"amount": "0.29", "phone_number": "0241234567", "network": "MTN"},
            {"amount": "1.00", "phone_number": "0241234567", "network": "MTN", "payee_note": "November"},
        ]
    )
    assert (batch.total, batch.count) == (Decimal("1.29"), 2)
    assert tua.payouts.get_batch(batch.batch_id).batch_id == batch.batch_id
    link = tua.links.create(title="Adom choir: robe", amount="10.50")
    assert tua.links.close(link.link_id).status == "CLOSED"
    assert tua.links.reopen(link.link_id).status == "OPEN"
    assert link.link_id in [item.link_id for item in tua.links.list()]
    assert [network.network for network in tua.networks.get()] == ["MTN", "TELECEL", "AIRTELTIGO"]


def test_pages_are_read_to_the_end(tua: Tua) -> None:
    created = {tua.charges.create(amount="1.00", reference="many", **WALLET).transaction_id for _ in range(5)}
    assert {item.transaction_id for item in tua.transactions.list(reference="many", page_size=2)} == created


def test_faults_are_reported_with_their_pointers(tua: Tua) -> None:
    with pytest.raises(TuaApiError) as caught:
        tua.charges.create(amount="0.00", network="MTN", phone_number="123")
    error = caught.value
    assert (error.code, error.outcome_unknown) == ("validation_failed", False)
    assert error.request_id is not None
    assert sorted(fault.pointer for fault in error.errors) == ["/amount", "/phoneNumber"]


def test_events_are_listed_read_and_followed(tua: Tua) -> None:
    tua.events.list(page_size=1).page()  # begins the record
    charge = tua.charges.create(amount="2.00", **WALLET)
    followed: list[Event] = []
    for event in tua.events.follow(transaction_id=charge.transaction_id, wait_seconds=5):
        followed.append(event)
        if event.type == "charge.successful":
            break
    assert isinstance(event, TransactionEvent) and event.data.amount == Decimal("2.00")
    assert followed[0].type == "charge.pending"
    assert list(tua.events.list(transaction_id=charge.transaction_id, page_size=1)) == followed[::-1]
    assert tua.events.get(followed[0].id) == followed[0]
    assert list(tua.events.list(transaction_id=charge.transaction_id, type=["charge.successful"])) == followed[-1:]
    with pytest.raises(TuaApiError) as caught:
        next(tua.events.follow(after="msg_none"))
    assert caught.value.code == "invalid_parameter"


def test_events_are_followed_by_the_asynchronous_client(tua: Tua, service: dict[str, str]) -> None:
    tua.events.list(page_size=1).page()
    charge = tua.charges.create(amount="2.00", **WALLET)

    async def follow() -> list[str]:
        async with AsyncTua(secret_key=service["secretKey"], base_url=service["baseUrl"]) as client:
            types: list[str] = []
            async for event in client.events.follow(
                transaction_id=charge.transaction_id, wait_seconds=5, stop=lambda: "charge.successful" in types
            ):
                types.append(event.type)
            return types

    types = anyio.run(follow)
    assert (types[0], types[-1]) == ("charge.pending", "charge.successful")


def test_a_webhook_endpoint_is_added_rotated_disabled_enabled_and_removed(tua: Tua, service: dict[str, str]) -> None:
    endpoints = tua.webhook_endpoints
    added = endpoints.create(url="http://127.0.0.1:9/hooks")
    assert added.secret is not None and added.secret.startswith("whsec_")
    assert added.secret not in repr(added) + str(added)
    with Tua(secret_key=service["secretKey"], base_url=service["faultyBaseUrl"]) as faulty:
        again = faulty.webhook_endpoints.create(url="http://127.0.0.1:9/again")
        assert again.secret is None
        rotated = endpoints.rotate(added.endpoint_id, overlap_hours=1)
        assert rotated.secret != added.secret
        assert rotated.old_secret_until is not None
        assert endpoints.disable(added.endpoint_id).status == "DISABLED"
        charge = tua.charges.create(amount="1.00", **WALLET)
        tua.transactions.wait(charge.transaction_id)
        enabled = endpoints.enable(added.endpoint_id, resend=True)
        assert enabled.status == "ENABLED" and enabled.recorded_events >= 2
        assert endpoints.remove(added.endpoint_id).status == "REMOVED"
        with pytest.raises(TuaApiError) as caught:
            faulty.webhook_endpoints.remove(again.endpoint_id)
    assert (caught.value.code, caught.value.outcome_unknown) == ("not_found", True)
    left = [endpoint.endpoint_id for endpoint in endpoints.list(page_size=1)]
    assert left and not {added.endpoint_id, again.endpoint_id} & set(left)


def test_an_advance_of_the_clock_ends_a_checkout(tua: Tua) -> None:
    opened = tua.checkouts.create(amount="1.00", email="ama@example.com")
    advanced = tua.sandbox.advance_clock(31 * 60)
    assert advanced.seconds == 1_860 and advanced.due.checkouts >= 1
    assert tua.checkouts.wait(opened.checkout_id, timeout=20).status is CheckoutStatus.EXPIRED


def test_its_webhooks_are_verified(service: dict[str, str]) -> None:
    webhook = Webhook(service["webhookSecret"])
    wanted = {"checkout.opened", "checkout.paid", "charge.successful", "charge.failed", "refund.successful"}
    deadline = time.monotonic() + 15
    types: set[str] = set()
    while not wanted <= types and time.monotonic() < deadline:
        deliveries = httpx.get(service["deliveriesUrl"]).json()
        types = {webhook.verify(base64.b64decode(item["body"]), item["headers"]).type for item in deliveries}
        time.sleep(0.2)
    assert wanted <= types
