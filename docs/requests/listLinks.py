import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
for link in tua.links.list(page_size=10):
    print(link.link_id, link.url, link.status)
