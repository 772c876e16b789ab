import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
endpoint = tua.webhook_endpoints.remove(os.environ["ENDPOINT_ID"])
print(endpoint.url, endpoint.status)
