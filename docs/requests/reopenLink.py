import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
link = tua.links.reopen(os.environ["LINK_ID"])
print(link.url, link.status)
