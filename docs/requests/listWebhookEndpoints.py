import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
for endpoint in tua.webhook_endpoints.list():
    print(endpoint.endpoint_id, endpoint.url, endpoint.status)
