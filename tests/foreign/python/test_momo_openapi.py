"""momo-openapi, on both platforms of MTN."""

import momo_openapi.sandbox
import pytest
from conftest import NUMBER, POOR_NUMBER, eventually
from momo_openapi import AuthenticationError, Collection, Disbursement, MomoAPIError, MomoConfig, check_connectivity


def config(mtn, product, **changes):
    settings = {
        "subscription_key": mtn[product]["subscription-key"],
        "user_id": mtn[product]["user"],
        "credential_token": mtn[product]["key"],
        "target_environment": "mtnghana",
        "base_url": mtn["base-url"],
        "currency": "GHS",
    }
    return MomoConfig(**settings | changes)


def test_a_payment_is_asked_for_and_succeeds(mtn):
    client = Collection(config(mtn, "collection"))
    reference = client.request_to_pay("12.50", NUMBER, "order-1", payer_message="Thanks")
    status = eventually(lambda: client.get_transaction_status(reference), lambda read: read["status"] != "PENDING")
    assert (status["status"], status["amount"], status["externalId"]) == ("SUCCESSFUL", "12.5", "order-1")
    assert client.get_balance()["currency"] == "GHS"


def test_a_payment_fails_for_a_reason(mtn):
    client = Collection(config(mtn, "collection"))
    reference = client.request_to_pay(5, POOR_NUMBER, "order-2")
    status = eventually(lambda: client.get_transaction_status(reference), lambda read: read["status"] != "PENDING")
    reason = status["reason"]
    assert (reason["code"] if isinstance(reason, dict) else reason) == "NOT_ENOUGH_FUNDS"


def test_a_transfer_succeeds(mtn):
    client = Disbursement(config(mtn, "disbursement"))
    reference = client.transfer("3", NUMBER, "payout-1")
    status = eventually(lambda: client.get_transaction_status(reference), lambda read: read["status"] != "PENDING")
    assert (status["status"], status["payee"]["partyId"]) == ("SUCCESSFUL", NUMBER)
    with pytest.raises(MomoAPIError) as repeated:
        client.transfer("3", NUMBER, "payout-1", reference_id=reference)
    assert (repeated.value.status_code, repeated.value.code) == (409, "RESOURCE_ALREADY_EXIST")


def test_the_new_platform_has_other_credentials_and_transactions(mtn, new_mtn_platform):
    base_url, credentials = new_mtn_platform
    new = Collection(config(mtn, "collection", base_url=base_url, **credentials))
    old = Collection(config(mtn, "collection"))
    reference = new.request_to_pay("1", NUMBER, "order-3")
    eventually(lambda: new.get_transaction_status(reference), lambda read: read["status"] == "SUCCESSFUL")
    with pytest.raises(MomoAPIError) as unknown:
        old.get_transaction_status(reference)
    assert unknown.value.code == "RESOURCE_NOT_FOUND"
    with pytest.raises(AuthenticationError) as refused:
        Collection(config(mtn, "collection", base_url=base_url)).get_balance()
    assert refused.value.code == "invalid_client"
    assert check_connectivity(base_url).reachable


@pytest.mark.parametrize("host", ["127.0.0.1", "https://127.0.0.1"])
def test_a_user_of_the_sandbox_is_made(mtn, monkeypatch, host):
    monkeypatch.setattr(momo_openapi.sandbox, "SANDBOX_URL", mtn["base-url"])
    key = mtn["collection"]["subscription-key"]
    (user, secret) = momo_openapi.sandbox.provision_sandbox_user(key, host)
    sandbox = config(
        mtn,
        "collection",
        user_id=user,
        credential_token=secret,
        target_environment="sandbox",
        currency="EUR",
        callback_url="https://127.0.0.1/callbacks",
    )
    assert Collection(sandbox).request_to_pay("100", NUMBER, "order-4")
