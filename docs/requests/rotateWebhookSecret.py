import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
endpoint = tua.webhook_endpoints.rotate(os.environ["ENDPOINT_ID"], overlap_hours=48)
print(endpoint.secret, endpoint.old_secret_until)
