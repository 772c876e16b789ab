import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
refund = tua.refunds.create(
    transaction_id=os.environ["TRANSACTION_ID"],
    amount="4.20",
    reason="One of two items was sold out",
    idempotency_key="refund-17",
)
print(refund.refund_id, refund.status.value)
