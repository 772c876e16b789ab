import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
checkout = tua.checkouts.get(os.environ["CHECKOUT_ID"])
print(checkout.status.value)
