import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
for transaction in tua.transactions.list(status="SUCCESSFUL", page_size=10):
    print(transaction.transaction_id, transaction.amount)
