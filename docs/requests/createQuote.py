import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
quote = tua.quotes.create(type="CHARGE", amount="120.00", network="MTN")
print(quote.payer_pays, quote.fee)
