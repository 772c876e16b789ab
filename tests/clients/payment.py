"""Makes test payments with the client that openapi-generator wrote, and reads a refusal."""

import sys
import uuid

from openapi_client import (
    ApiClient,
    ApiException,
    ChargeRequest,
    CheckoutRequest,
    CheckoutsApi,
    Configuration,
    PaymentsApi,
    Problem,
    ReadingApi,
)
from pydantic import ValidationError

base_url, key = sys.argv[1:]
client = ApiClient(Configuration(host=base_url, api_key={"apiKey": key}))
payments = PaymentsApi(client)
try:
    ChargeRequest(phoneNumber="0241234567", network="MTN")
    sys.exit("a charge without an amount was accepted")
except ValidationError:
    pass

charge = ChargeRequest(amount=0.29, phoneNumber="0241234567", network="MTN")
idempotency_key = str(uuid.uuid4())
begun = payments.create_charge(charge, idempotency_key=idempotency_key)
repeated = payments.create_charge(charge, idempotency_key=idempotency_key)
assert repeated.transaction_id == begun.transaction_id
read = ReadingApi(client).read_status(begun.transaction_id)
while read.status == "PENDING":
    read = ReadingApi(client).read_status(begun.transaction_id, prefer="wait=5")
assert (read.status, read.amount, read.phone_number) == ("SUCCESSFUL", 0.29, "0241234567"), read

checkouts = CheckoutsApi(client)
opened = checkouts.create_checkout(CheckoutRequest(amount=10.5, email="ama@example.com", metadata={"order": 17}))
session = checkouts.read_session(opened.checkout_id)
assert (session.status, session.metadata) == ("OPEN", {"order": 17}), session

try:
    payments.create_charge(ChargeRequest(amount=1, phoneNumber="0241234567", network="GLO"))
    sys.exit("an unknown network was accepted")
except ApiException as refused:
    assert isinstance(refused.data, Problem), refused
    assert (refused.data.status, refused.data.code) == (422, "unsupported_network"), refused
print("paid 0.29 and read a problem")
