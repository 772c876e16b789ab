import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
charge = tua.charges.submit_code(
    transaction_id=os.environ["TRANSACTION_ID"],
    otp="123456",
    idempotency_key="order-17-1-code-1",
)
print(charge.status.value, charge.code_attempts_left)
