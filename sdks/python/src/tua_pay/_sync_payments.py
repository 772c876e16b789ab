# Generated from _async_payments.py by scripts/generate_sync.py. Do not edit.
"""Charges, payouts, refunds and transactions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ._exchange import Operation, begin, segment
from ._page import Page
from ._sync_pages import Pages
from ._sync_transport import Transport
from .amount import Amount
from .models import PayoutBatch, Refund, Transaction, TransactionWithMessage
from .requests import Metadata, PayoutRequest, payout_body

WAIT_TIMEOUT = 120.0


class Charges:
    """`POST /charge` and `POST /submit-otp`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        amount: Amount,
        phone_number: str,
        network: str,
        reference: str | None = None,
        payer_message: str | None = None,
        payee_note: str | None = None,
        payer_pays: Amount | None = None,
        email: str | None = None,
        metadata: Metadata | None = None,
        idempotency_key: str | None = None,
        total_timeout: float | None = None,
    ) -> TransactionWithMessage:
        """Collects money from a wallet. The response is usually PENDING: the payer approves on the phone."""
        operation = begin(
            "/charge",
            TransactionWithMessage,
            ("amount", "payerPays"),
            amount=amount,
            phoneNumber=phone_number,
            network=network,
            reference=reference,
            payerMessage=payer_message,
            payeeNote=payee_note,
            payerPays=payer_pays,
            email=email,
            metadata=metadata,
        )
        return self._transport.send(operation, idempotency_key, total_timeout)

    def submit_code(self, *, transaction_id: str, otp: str, idempotency_key: str | None = None) -> TransactionWithMessage:
        """Submits the passcode or voucher that the payer was sent. A wrong one is no error: `code_attempts_left` is one
        less."""
        operation = begin("/submit-otp", TransactionWithMessage, transactionId=transaction_id, otp=otp)
        return self._transport.send(operation, idempotency_key)


class Transactions:
    """`GET /status/{transactionId}` and `GET /transactions`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, transaction_id: str) -> Transaction:
        """The charge or payout as it is now."""
        return self._transport.send(read_transaction(transaction_id))

    def wait(self, transaction_id: str, *, timeout: float = WAIT_TIMEOUT) -> Transaction:
        """Waits until the outcome is known. After `timeout` seconds it returns the transaction as it is, which may be
        PENDING."""
        return self._transport.wait(read_transaction(transaction_id), timeout)

    def list(
        self,
        *,
        status: str | None = None,
        type: str | None = None,
        network: str | None = None,
        phone_number: str | None = None,
        reference: str | None = None,
        checkout_id: str | None = None,
        batch_id: str | None = None,
        operator_transaction_id: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        page_size: int | None = None,
    ) -> Pages[Transaction]:
        """All charges and payouts with these values, newest first. Times are ISO 8601."""
        members = {
            "status": status,
            "type": type,
            "network": network,
            "phoneNumber": phone_number,
            "reference": reference,
            "checkoutId": checkout_id,
            "batchId": batch_id,
            "operatorTransactionId": operator_transaction_id,
            "createdAfter": created_after,
            "createdBefore": created_before,
            "limit": page_size,
        }
        query = {name: member for name, member in members.items() if member is not None}
        operation = Operation("GET", "/transactions", "reads", Page[Transaction], query=query)
        return Pages(self._transport, operation)


def read_transaction(transaction_id: str) -> Operation[Transaction]:
    path = f"/status/{segment(transaction_id, 'transaction_id')}"
    return Operation("GET", path, "reads", Transaction, expected={"transactionId": transaction_id})


class Payouts:
    """`POST /payout`, and batches of payouts."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        amount: Amount,
        phone_number: str,
        network: str,
        reference: str | None = None,
        payee_note: str | None = None,
        payer_message: str | None = None,
        email: str | None = None,
        metadata: Metadata | None = None,
        idempotency_key: str | None = None,
        total_timeout: float | None = None,
    ) -> TransactionWithMessage:
        """Sends money to a wallet."""
        operation = begin(
            "/payout",
            TransactionWithMessage,
            amount=amount,
            phoneNumber=phone_number,
            network=network,
            reference=reference,
            payeeNote=payee_note,
            payerMessage=payer_message,
            email=email,
            metadata=metadata,
        )
        return self._transport.send(operation, idempotency_key, total_timeout)

    def cancel(self, transaction_id: str) -> TransactionWithMessage:
        """Ends a payout that was not handed over to its operator."""
        path = f"/payouts/{segment(transaction_id, 'transaction_id')}/cancel"
        expected = {"transactionId": transaction_id}
        return self._transport.send(Operation("POST", path, "repeatable", TransactionWithMessage, expected=expected))

    def create_batch(
        self, *, payouts: Sequence[PayoutRequest], reference: str | None = None, idempotency_key: str | None = None
    ) -> PayoutBatch:
        """Sends money to up to 1,000 wallets. With one fault, none of the payouts is begun."""
        bodies = [payout_body(payout, index) for index, payout in enumerate(payouts)]
        operation = begin("/payouts/batches", PayoutBatch, payouts=bodies, reference=reference)
        return self._transport.send(operation, idempotency_key)

    def get_batch(self, batch_id: str) -> PayoutBatch:
        """The batch as it is now."""
        path = f"/payouts/batches/{segment(batch_id, 'batch_id')}"
        return self._transport.send(Operation("GET", path, "reads", PayoutBatch, expected={"batchId": batch_id}))

    def cancel_batch(self, batch_id: str) -> PayoutBatch:
        """Ends the payouts of a batch that were not handed over."""
        path = f"/payouts/batches/{segment(batch_id, 'batch_id')}/cancel"
        expected = {"batchId": batch_id}
        return self._transport.send(Operation("POST", path, "repeatable", PayoutBatch, expected=expected))


class Refunds:
    """`/refunds`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        transaction_id: str,
        amount: Amount | None = None,
        reason: str | None = None,
        method: Literal["PAYOUT"] | None = None,
        idempotency_key: str | None = None,
    ) -> Refund:
        """Returns all or a part of a charge. Without `amount`, it returns all that is left."""
        operation = begin("/refunds", Refund, transactionId=transaction_id, amount=amount, reason=reason, method=method)
        return self._transport.send(operation, idempotency_key)

    def get(self, refund_id: str) -> Refund:
        """The refund as it is now."""
        return self._transport.send(_read_refund(refund_id))

    def wait(self, refund_id: str, *, timeout: float = WAIT_TIMEOUT) -> Refund:
        """Waits until the outcome is known. After `timeout` seconds it returns the refund as it is, which may be
        PENDING."""
        return self._transport.wait(_read_refund(refund_id), timeout)

    def cancel(self, refund_id: str) -> Refund:
        """Ends a refund that was not handed over to its operator."""
        path = f"/refunds/{segment(refund_id, 'refund_id')}/cancel"
        expected = {"refundId": refund_id}
        return self._transport.send(Operation("POST", path, "repeatable", Refund, expected=expected))

    def list(self, *, transaction_id: str | None = None, page_size: int | None = None) -> Pages[Refund]:
        """All refunds, or those of one charge, newest first."""
        members = {"transactionId": transaction_id, "limit": page_size}
        query = {name: member for name, member in members.items() if member is not None}
        return Pages(self._transport, Operation("GET", "/refunds", "reads", Page[Refund], query=query))


def _read_refund(refund_id: str) -> Operation[Refund]:
    path = f"/refunds/{segment(refund_id, 'refund_id')}"
    return Operation("GET", path, "reads", Refund, expected={"refundId": refund_id})
