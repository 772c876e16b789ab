"""paystackapi."""

import paystackapi
import pytest
from conftest import NUMBER, eventually
from paystackapi.paystack import Paystack


@pytest.fixture(scope="module")
def client(paystack):
    paystackapi.API_URL = paystack["base-url"] + "/"
    return Paystack(secret_key=paystack["secret-key"])


def charge(client, reference, phone=NUMBER, provider="mtn"):
    wallet = {"phone": phone, "provider": provider}
    return client.charge.start_charge(
        email="ama@example.com", amount=1250, currency="GHS", reference=reference, mobile_money=wallet
    )


def test_a_charge_succeeds_and_is_refunded(client):
    assert charge(client, "python-1")["data"]["status"] == "pay_offline"
    paid = eventually(
        lambda: client.transaction.verify("python-1")["data"], lambda read: read["status"] != "pending"
    )
    assert (paid["status"], paid["amount"], paid["customer"]["email"]) == ("success", 1250, "ama@example.com")
    assert client.transaction.get(paid["id"])["data"]["reference"] == "python-1"
    assert client.transaction.list(perPage=10)["meta"]["total"] >= 1
    assert client.charge.check_pending("python-1")["data"]["status"] == "success"
    refund = client.refund.create(transaction="python-1", amount=250)["data"]
    eventually(lambda: client.refund.fetch(refund["id"])["data"], lambda read: read["status"] == "processed")


def test_a_voucher_is_submitted(client):
    assert charge(client, "python-2", "233501234567", "vod")["data"]["status"] == "send_otp"
    assert client.charge.submit_otp(otp="0", reference="python-2")["data"]["status"] == "send_otp"
    assert client.charge.submit_otp(otp="123456", reference="python-2")["data"]["currency"] == "GHS"


def test_a_transaction_is_initialized(client):
    begun = client.transaction.initialize(email="ama@example.com", amount=500, reference="python-3")
    assert begun["status"] and begun["data"]["authorization_url"].endswith(begun["data"]["access_code"])
    assert client.transaction.verify("python-3")["data"]["status"] == "abandoned"


def test_a_transfer_without_a_reference_succeeds(client):
    recipient = client.transferRecipient.create(
        type="mobile_money", name="Ama", account_number="0241234567", bank_code="MTN", currency="GHS"
    )["data"]
    code = recipient["recipient_code"]
    begun = client.transfer.initiate(source="balance", amount=500, recipient=code, reason="Wages")["data"]
    assert begun["recipient"] == recipient["id"] and begun["reference"]
    read = eventually(
        lambda: client.transfer.fetch(begun["transfer_code"])["data"], lambda read: read["status"] != "pending"
    )
    assert (read["status"], read["recipient"]["recipient_code"]) == ("success", code)
    assert client.transfer.list(perPage=1)["meta"]["pageCount"] >= 1
    assert client.transferRecipient.list()["data"][0]["recipient_code"] == code


def test_a_customer_is_created_and_updated(client):
    created = client.customer.create(email="kofi@example.com", first_name="Kofi")["data"]
    code = created["customer_code"]
    assert client.customer.update(code, last_name="Boateng")["data"]["first_name"] == "Kofi"
    assert client.customer.get("kofi@example.com")["data"]["last_name"] == "Boateng"
    assert code in [customer["customer_code"] for customer in client.customer.list()["data"]]


def test_banks_names_and_mistakes_are_json(client):
    assert len(client.misc.list_banks(currency="GHS")["data"]) == 3
    name = client.verification.verify_account(account_number="0241234567", bank_code="MTN")
    assert name["data"]["account_name"] == "AMA MENSAH"
    # The client reads each of these as JSON: a body that is none, a method and a path that do not exist.
    assert not client.transfer.initiate()["status"]
    assert not client.transfer.verify("unknown")["status"]
    assert not client.transferControl.resend_otp(transfer_code="TRF_1", reason="transfer")["status"]
    assert client.transferControl.check_balance()["data"][0]["currency"] == "GHS"
