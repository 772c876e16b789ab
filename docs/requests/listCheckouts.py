import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
for checkout in tua.checkouts.list(status="OPEN", page_size=10):
    print(checkout.checkout_id, checkout.reference)
