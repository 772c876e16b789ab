import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
checkout = tua.checkouts.create(
    amount="18.00",
    email="ama@example.com",
    reference="order-17",
    metadata={"customer": "4711"},
    return_url="http://localhost:9000/orders/order-17",
    idempotency_key="order-17-attempt-1",
)
print(checkout.checkout_id, checkout.url)
