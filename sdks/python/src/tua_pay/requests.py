"""The shapes of requests that are more than a list of arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from .amount import Amount, Number, amount_text

Metadata = Mapping[str, Any]
"""The merchant's own data: at most 50 keys and 8 KiB of JSON. A Decimal in it is written exactly."""


class PayoutRequest(TypedDict):
    """One payout of a batch."""

    amount: Amount
    phone_number: str
    network: str
    reference: NotRequired[str]
    payee_note: NotRequired[str]
    payer_message: NotRequired[str]
    email: NotRequired[str]
    metadata: NotRequired[Metadata]


_MEMBERS = {"phone_number": "phoneNumber", "payee_note": "payeeNote", "payer_message": "payerMessage"}


def payout_body(payout: PayoutRequest, index: int) -> dict[str, Any]:
    """A payout of a batch as the service reads it."""
    body: dict[str, Any] = {_MEMBERS.get(name, name): member for name, member in payout.items() if member is not None}
    return body | {"amount": Number(amount_text(payout["amount"], f"payouts/{index}/amount"))}
