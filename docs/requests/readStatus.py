import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
transaction = tua.transactions.wait(os.environ["TRANSACTION_ID"], timeout=30)
print(transaction.status.value, transaction.failure and transaction.failure.code)
