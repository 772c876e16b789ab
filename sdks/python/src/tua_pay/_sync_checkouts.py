# Generated from _async_checkouts.py by scripts/generate_sync.py. Do not edit.
"""Checkouts, payment links, networks and quotes."""

from __future__ import annotations

import time
from typing import Literal

from ._exchange import Operation, begin, segment
from ._page import Page
from ._sync_pages import Pages
from ._sync_payments import WAIT_TIMEOUT, read_transaction
from ._sync_transport import Transport, is_transient
from .amount import Amount, Number, amount_text
from .errors import TuaRequestError
from .models import Checkout, CheckoutStatus, Link, NetworkServices, OpenedCheckout, Quote, Status
from .requests import Metadata

_POLL_INTERVAL = 2.0


class Checkouts:
    """`/checkout`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        amount: Amount,
        email: str,
        reference: str | None = None,
        metadata: Metadata | None = None,
        return_url: str | None = None,
        idempotency_key: str | None = None,
        total_timeout: float | None = None,
    ) -> OpenedCheckout:
        """Opens a session that one payer can pay within 30 minutes. Send the payer to `url`, or give the page
        `checkout_token`."""
        operation = begin(
            "/checkout",
            OpenedCheckout,
            amount=amount,
            email=email,
            reference=reference,
            metadata=metadata,
            returnUrl=return_url,
        )
        return self._transport.send(operation, idempotency_key, total_timeout)

    def get(self, checkout_id: str, *, total_timeout: float | None = None) -> Checkout:
        """The session as it is now."""
        path = f"/checkout/{segment(checkout_id, 'checkout_id')}"
        operation = Operation("GET", path, "reads", Checkout, expected={"checkoutId": checkout_id})
        return self._transport.send(operation, total_timeout=total_timeout)

    def list(
        self,
        *,
        status: str | None = None,
        reference: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        page_size: int | None = None,
    ) -> Pages[Checkout]:
        """All sessions with these values, newest first. Times are ISO 8601."""
        members = {
            "status": status,
            "reference": reference,
            "createdAfter": created_after,
            "createdBefore": created_before,
            "limit": page_size,
        }
        query = {name: member for name, member in members.items() if member is not None}
        return Pages(self._transport, Operation("GET", "/checkouts", "reads", Page[Checkout], query=query))

    def close(self, checkout_id: str) -> Checkout:
        """Closes a session, so that nobody can pay it any more."""
        path = f"/checkout/{segment(checkout_id, 'checkout_id')}/close"
        expected = {"checkoutId": checkout_id}
        return self._transport.send(Operation("POST", path, "repeatable", Checkout, expected=expected))

    def wait(self, checkout_id: str, *, timeout: float = WAIT_TIMEOUT) -> Checkout:
        """Waits until the session is PAID, EXPIRED or CLOSED. After `timeout` seconds it returns what it saw last:
        OPEN or PENDING."""
        deadline = time.monotonic() + timeout
        seen: Checkout | None = None
        while True:
            left = max(0.0, deadline - time.monotonic())
            try:
                seen = self.get(checkout_id, total_timeout=left + self._transport.config.timeout)
                if seen.status not in (CheckoutStatus.OPEN, CheckoutStatus.PENDING):
                    return seen
                charge = seen.transaction
                left = deadline - time.monotonic()
                if charge is not None and charge.status is Status.PENDING and left > _POLL_INTERVAL:
                    self._transport.wait(read_transaction(charge.transaction_id), left)
                    continue
            except TuaRequestError as error:
                if seen is None or not is_transient(error):
                    raise
            if time.monotonic() + _POLL_INTERVAL >= deadline:
                return seen
            time.sleep(_POLL_INTERVAL)


class Links:
    """`/links`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        title: str,
        amount: Amount | None = None,
        min_amount: Amount | None = None,
        max_amount: Amount | None = None,
        description: str | None = None,
        uses: Literal["many", "single"] | None = None,
        expires_at: str | None = None,
        reference: str | None = None,
        metadata: Metadata | None = None,
        question: str | None = None,
        idempotency_key: str | None = None,
    ) -> Link:
        """Creates a page with a short address, on which anybody who has it can pay."""
        operation = begin(
            "/links",
            Link,
            ("amount", "minAmount", "maxAmount"),
            title=title,
            amount=amount,
            minAmount=min_amount,
            maxAmount=max_amount,
            description=description,
            uses=uses,
            expiresAt=expires_at,
            reference=reference,
            metadata=metadata,
            question=question,
        )
        return self._transport.send(operation, idempotency_key)

    def get(self, link_id: str) -> Link:
        """The link as it is now."""
        path = f"/links/{segment(link_id, 'link_id')}"
        return self._transport.send(Operation("GET", path, "reads", Link, expected={"linkId": link_id}))

    def close(self, link_id: str) -> Link:
        """Closes a link, so that nobody can pay with it."""
        return self._change(link_id, "close")

    def reopen(self, link_id: str) -> Link:
        """Opens a closed link again."""
        return self._change(link_id, "reopen")

    def _change(self, link_id: str, action: str) -> Link:
        path = f"/links/{segment(link_id, 'link_id')}/{action}"
        return self._transport.send(Operation("POST", path, "repeatable", Link, expected={"linkId": link_id}))

    def list(self, *, page_size: int | None = None) -> Pages[Link]:
        """All links, newest first."""
        query = {} if page_size is None else {"limit": page_size}
        return Pages(self._transport, Operation("GET", "/links", "reads", Page[Link], query=query))


class Networks:
    """`GET /networks`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> list[NetworkServices]:
        """How each network is served now."""
        operation = Operation("GET", "/networks", "reads", Page[NetworkServices])
        return (self._transport.send(operation)).data


class Quotes:
    """`POST /quote`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, *, type: Literal["CHARGE", "PAYOUT"], amount: Amount, network: str) -> Quote:
        """What a payment would cost if it began now. It begins nothing."""
        body = {"type": type, "amount": Number(amount_text(amount)), "network": network}
        return self._transport.send(Operation("POST", "/quote", "reads", Quote, body=body))
