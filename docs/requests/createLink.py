import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
link = tua.links.create(
    title="Adom choir: robe",
    amount="10.50",
    idempotency_key="choir-2026",
)
print(link.link_id, link.url)
