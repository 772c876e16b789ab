import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
charge = tua.charges.create(
    amount="10.50",
    phone_number="0241234567",
    network="MTN",
    reference="order-17",
    idempotency_key="order-17-1",
)
print(charge.transaction_id, charge.status.value, charge.next_action)
