import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
for event in tua.events.follow(after=os.environ["EVENT_ID"]):
    print(event.id, event.type)
    if event.type == "charge.successful":
        break  # a real program goes on
