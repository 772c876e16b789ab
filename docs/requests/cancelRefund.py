import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
refund = tua.refunds.cancel(os.environ["REFUND_ID"])
print(refund.status.value)
