import os

from tua_pay import Tua

tua = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=os.environ["TUA_API_URL"])
batch = tua.payouts.get_batch(os.environ["BATCH_ID"])
print(batch.status.value)
