import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
for refund in tua.refunds.list(transaction_id=os.environ["TRANSACTION_ID"]):
    print(refund.refund_id, refund.amount, refund.status.value)
