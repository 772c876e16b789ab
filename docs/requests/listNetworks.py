import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
for service in tua.networks.get():
    print(service.network, service.charge.status, service.payout.status)
