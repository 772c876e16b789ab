import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
batch = tua.payouts.create_batch(
    payouts=[{"amount": "5.00", "phone_number": "0241234567", "network": "MTN"}],
    reference="salaries",
    idempotency_key="november",
)
print(batch.batch_id, batch.status.value)
