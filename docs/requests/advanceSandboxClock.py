import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
advanced = tua.sandbox.advance_clock(1860)
print(advanced.due.checkouts, advanced.due.payments)
