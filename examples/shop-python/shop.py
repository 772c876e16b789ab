"""A shop with one product. It sends the payer to Tua's hosted page, and a webhook reports that
the order is paid. Where the webhook is lost, it asks.

    python3 -m venv .venv && . .venv/bin/activate
    pip install -r requirements.txt
    TUA_SECRET_KEY=tua_test_v2_… TUA_WEBHOOK_SECRET=whsec_… python3 shop.py

A real shop keeps its orders in a database. This one keeps them in memory.
"""

import os
import time
import uuid
from dataclasses import dataclass, field
from decimal import Decimal
from threading import RLock, Thread

from flask import Flask, abort, redirect
from markupsafe import escape
from tua_pay import CheckoutEvent, CheckoutStatus, Status, Tua, TuaError, Webhook
from tua_pay.flask import webhook_view

# A variable that is empty counts as unset.
API_URL = os.environ.get("TUA_API_URL") or "http://127.0.0.1:8080/v1"
TUA = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=API_URL, total_timeout=10)
WEBHOOK = Webhook(os.environ["TUA_WEBHOOK_SECRET"])
PORT = int(os.environ.get("PORT") or "9000")
SHOP_URL = os.environ.get("SHOP_URL") or f"http://localhost:{PORT}"
CHECK_SECONDS = float(os.environ.get("CHECK_SECONDS") or "60")

# The price. It comes from the server, never from the page. A Decimal is exact; Tua refuses a float.
PRICE = Decimal("18.00")

# What the payer reads. Nobody knows yet whether the payment of a PENDING or UNKNOWN order arrives,
# so neither of them says "failed", "no money moved" or "try again".
TEXTS = {
    "PAID": "Thank you. The order is paid.",
    "PENDING": "Your payment is not confirmed yet. Please do not pay again. This page shows when it is.",
    "UNKNOWN": "We cannot reach the payment service, so we do not know yet whether your payment has arrived. "
    "If you have paid, please do not pay again. This page asks again.",
    "OPEN": "The order is not paid yet.",
    "EXPIRED": "The order was not paid in time. No money moved.",
    "CLOSED": "The payment was closed. No money moved.",
    "NOT_OPENED": "The payment could not begin. No money moved.",
}

app = Flask(__name__)


@dataclass
class Order:
    reference: str
    amount: Decimal = PRICE
    attempt: int = 1
    status: str = "NOT_OPENED"
    checkout_id: str | None = None
    url: str | None = None
    failure: str | None = None
    lock: RLock = field(default_factory=RLock)


orders: dict[str, Order] = {}


def open_checkout(order):
    """Each attempt to pay an order has an idempotency key of its own. A repeated request of the same
    attempt creates nothing new, so it is safe after a timeout. A new attempt needs a new key: the
    old one would return the old checkout, whose 30 minutes are over."""
    checkout = TUA.checkouts.create(
        amount=order.amount,
        email="ama@example.com",
        reference=order.reference,
        return_url=f"{SHOP_URL}/orders/{order.reference}",
        idempotency_key=f"{order.reference}-{order.attempt}",
    )
    order.checkout_id, order.url, order.status = checkout.checkout_id, checkout.url, "OPEN"


def find_status(order):
    """Asks what happened to the order. UNKNOWN where the service does not answer: that is no failure."""
    if order.status not in ("PAID", "NOT_OPENED"):
        try:
            record(TUA.checkouts.get(order.checkout_id))
        except TuaError as error:
            app.logger.warning("%s: %s", order.reference, error)
            return "UNKNOWN"
    return order.status if order.status in TEXTS else "UNKNOWN"


def status_of(checkout):
    """A review can find that no money of a paid checkout arrived: then it is over, unless another charge of it is pending."""
    if checkout.status is not CheckoutStatus.PAID or checkout.paid_transaction:
        return checkout.status.value
    return "PENDING" if checkout.transaction and checkout.transaction.status is Status.PENDING else "CLOSED"


def record(checkout):
    """Stores what Tua reports: once, whatever arrives twice. Deliver the goods where an order becomes paid."""
    order = orders.get(checkout.reference)
    if order is None or checkout.amount != order.amount:
        return
    with order.lock:
        status = status_of(checkout)
        is_paid = status == "PAID"
        if order.status == "PAID" or not (is_paid or checkout.checkout_id == order.checkout_id):
            return
        failure = checkout.transaction and checkout.transaction.failure
        order.status, order.failure = status, failure and failure.message
    if is_paid:
        app.logger.warning("%s is paid", order.reference)


def check_open_orders():
    """A webhook can be lost, and a payer can close the tab. So the shop asks about each open order."""
    while True:
        time.sleep(CHECK_SECONDS)
        for order in list(orders.values()):
            if order.status in ("OPEN", "PENDING"):
                try:
                    find_status(order)
                except Exception:
                    # A fault with one order must not stop the checks of the others.
                    app.logger.exception("%s", order.reference)


@app.get("/")
def show_product():
    return f'<form method="post" action="/buy"><button>Buy for GHS {PRICE}</button></form>'


@app.post("/buy")
def buy():
    """The order is stored before the first request, so that the order is not lost if the response is."""
    reference = f"order-{uuid.uuid4()}"
    orders[reference] = Order(reference)
    return pay(reference)


@app.post("/orders/<reference>/pay")
def pay(reference):
    """Sends the payer to the hosted page. An order has one open checkout, so it cannot be paid twice.
    Each round asks about it, because a checkout whose answer was lost may have expired."""
    order = orders.get(reference) or abort(404)
    with order.lock:
        for _ in range(5):
            status = find_status(order)
            if status == "OPEN":
                return redirect(order.url, 303)
            if status in ("EXPIRED", "CLOSED"):
                order.attempt, order.status, order.checkout_id = order.attempt + 1, "NOT_OPENED", None
            elif status != "NOT_OPENED":
                break
            try:
                open_checkout(order)
            except TuaError as error:
                # The payer has not seen the hosted page of this attempt, so no money can have moved.
                app.logger.warning("%s: %s", reference, error)
                return f"<p>{TEXTS['NOT_OPENED']}</p>{pay_button(order, 'Try again')}", 502
    return show_order(reference)


@app.get("/orders/<reference>")
def show_order(reference):
    """The payer comes back, perhaps before the webhook."""
    order = orders.get(reference) or abort(404)
    status = find_status(order)
    if status in ("PENDING", "UNKNOWN"):
        return f"<p>{TEXTS[status]}</p>", {"refresh": "10"}
    # A failed attempt leaves the checkout open: the payer can try again there.
    failure = f"<p>{escape(order.failure)}</p>" if order.failure else ""
    return f"<p>{TEXTS[status]}</p>{failure}{'' if status == 'PAID' else pay_button(order, 'Pay')}"


def pay_button(order, label):
    return f'<form method="post" action="/orders/{order.reference}/pay"><button>{label}</button></form>'


def receive(event):
    """Tua reports what happened. A webhook can arrive twice, and later than another one."""
    if isinstance(event, CheckoutEvent):
        record(event.data)


app.post("/webhooks")(webhook_view(WEBHOOK, receive))


@app.after_request
def keep_out_of_caches(response):
    response.headers["cache-control"] = "no-store"
    return response


@app.errorhandler(500)
def show_fault(error):
    """A fault of the shop itself. Whether money moved is not known here."""
    return "<p>Something went wrong in the shop. If you have paid, please do not pay again.</p>", 500


# Here, because `flask run` and gunicorn import this file. The orders are in the memory of one process: gunicorn with one worker.
Thread(target=check_open_orders, daemon=True).start()

if __name__ == "__main__":
    app.run(port=PORT)
