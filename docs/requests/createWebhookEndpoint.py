import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
endpoint = tua.webhook_endpoints.create(
    url="https://shop.example/webhooks",
    idempotency_key="shop-webhooks",
)
print(endpoint.endpoint_id, endpoint.secret)  # the secret is shown only once
