import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
event = tua.events.get(os.environ["EVENT_ID"])
print(event.type)
