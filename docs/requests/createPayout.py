import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
payout = tua.payouts.create(
    amount="5.00",
    phone_number="0241234567",
    network="MTN",
    payee_note="Delivery of 27 November",
    idempotency_key="payout-5",
)
print(payout.transaction_id, payout.status.value)
