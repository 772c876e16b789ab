import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
payout = tua.payouts.cancel(os.environ["TRANSACTION_ID"])
print(payout.status.value, payout.failure and payout.failure.code)
