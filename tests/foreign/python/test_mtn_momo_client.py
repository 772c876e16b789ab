"""mtn-momo-client."""

import pytest
from conftest import NUMBER, POOR_NUMBER, eventually
from momo_api import (
    BadRequestException,
    Config,
    ConflictException,
    MomoApi,
    PaymentRequest,
    RefundRequest,
    TransferRequest,
    generate_uuid,
)

GHANA = MomoApi.ENVIRONMENT_MTN_GHANA


@pytest.fixture(autouse=True)
def base_urls(mtn, monkeypatch):
    """The client takes no base URL, but has one for the sandbox and one for all countries."""
    monkeypatch.setattr(MomoApi, "SANDBOX_URL", mtn["base-url"])
    monkeypatch.setattr(MomoApi, "PRODUCTION_URL", mtn["base-url"])


@pytest.fixture
def collection(mtn):
    product = mtn["collection"]
    config = Config.collection(product["subscription-key"], product["user"], product["key"])
    return MomoApi.collection(config, GHANA)


@pytest.fixture
def disbursement(mtn):
    product = mtn["disbursement"]
    config = Config.disbursement(product["subscription-key"], product["user"], product["key"])
    return MomoApi.disbursement(config, GHANA)


def test_a_payment_is_asked_for_and_refunded(collection, disbursement):
    reference = collection.request_to_pay(PaymentRequest.make("12.50", NUMBER, "order-1", "GHS", "Thanks", "Order 1"))
    paid = eventually(lambda: collection.get_payment_status(reference), lambda read: not read.is_pending())
    assert paid.is_successful() and paid.financial_transaction_id
    assert (paid.amount, paid.payer, paid.payee_note) == ("12.5", NUMBER, "Order 1")
    refund = disbursement.refund(RefundRequest.make("2.50", reference, "refund-1", "GHS"))
    eventually(lambda: disbursement.get_refund_status(refund), lambda read: read.is_successful())


def test_a_payment_fails_for_a_reason(collection):
    reference = collection.quick_pay("1", POOR_NUMBER, "order-2", "GHS")
    failed = eventually(lambda: collection.get_payment_status(reference), lambda read: not read.is_pending())
    assert failed.is_failed() and failed.reason.code == "NOT_ENOUGH_FUNDS"


def test_a_deposit_and_a_transfer_succeed(disbursement):
    deposit = disbursement.deposit(PaymentRequest.make("200", NUMBER, "deposit-1", "GHS"))
    eventually(lambda: disbursement.get_deposit_status(deposit), lambda read: read.is_successful())
    transfer = disbursement.transfer(TransferRequest.make("300", NUMBER, "payout-1", "GHS"))
    paid = eventually(lambda: disbursement.get_transfer_status(transfer), lambda read: read.is_successful())
    assert paid.payee == NUMBER
    with pytest.raises(ConflictException):
        disbursement.transfer(TransferRequest.make("300", NUMBER, "payout-1", "GHS"), transfer)


def test_balance_and_holder_are_known_on_both_products(collection, disbursement):
    for product in [collection, disbursement]:
        assert product.get_balance().currency == "GHS"
        assert product.check_account_holder(NUMBER)
        assert not product.check_account_holder("233241230006")


def test_a_user_of_the_sandbox_is_made_with_an_address(mtn):
    sandbox = MomoApi.create(MomoApi.ENVIRONMENT_SANDBOX).sandbox(mtn["collection"]["subscription-key"])
    user = sandbox.create_api_user(generate_uuid(), "https://shop.example")
    assert sandbox.get_api_user(user)["providerCallbackHost"] == "https://shop.example"
    key = sandbox.create_api_key(user)
    config = Config.collection(
        mtn["collection"]["subscription-key"], user, key, "https://shop.example/webhook"
    )
    client = MomoApi.create(MomoApi.ENVIRONMENT_SANDBOX).get_collection(config)
    assert client.request_to_pay(PaymentRequest.make("100", NUMBER, "order-3"))


def test_a_mistake_is_an_error_with_a_text(collection):
    with pytest.raises(BadRequestException):
        collection.request_to_pay(PaymentRequest.make("nothing", NUMBER, "order-4", "GHS"))
