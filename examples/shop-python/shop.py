"""A shop with one product. It sends the payer to Tua's hosted page, and a webhook reports that
the order is paid. Where the webhook is lost, it asks.

    pip install -r requirements.txt
    TUA_SECRET_KEY=tua_test_v2_… TUA_WEBHOOK_SECRET=whsec_… python3 shop.py

A real shop keeps its orders in a database. This one keeps them in memory.
"""

import html
import os
import re
import time
import uuid
from dataclasses import dataclass
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from tua_pay import (
    CheckoutEvent,
    CheckoutStatus,
    Status,
    Tua,
    TuaError,
    TuaWebhookError,
    Webhook,
)

SERVICE = os.environ.get("TUA_URL", "http://127.0.0.1:8080")
TUA = Tua(secret_key=os.environ["TUA_SECRET_KEY"], base_url=f"{SERVICE}/v1", total_timeout=10)
PORT = int(os.environ.get("PORT", "9000"))
SHOP_URL = os.environ.get("SHOP_URL", f"http://localhost:{PORT}")
CHECK_SECONDS = float(os.environ.get("CHECK_SECONDS", "60"))
WEBHOOK = Webhook(os.environ["TUA_WEBHOOK_SECRET"])
MAX_BODY_BYTES = 1_048_576

# The only place that says what things cost. A Decimal is exact; Tua refuses a float.
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


@dataclass
class Order:
    amount: Decimal
    attempt: int = 1
    checkout_id: str | None = None
    url: str | None = None
    is_paid: bool = False
    is_over: bool = False


orders: dict[str, Order] = {}
lock = Lock()


def open_checkout(reference, order):
    """Each attempt to pay an order has an idempotency key of its own. A repeated request of the same
    attempt creates nothing new, so it is safe after a timeout. A new attempt needs a new key: the
    old one would return the old checkout, whose 30 minutes are over."""
    attempt = order.attempt
    checkout = TUA.checkouts.create(
        amount=order.amount,
        email="ama@example.com",
        reference=reference,
        return_url=f"{SHOP_URL}/orders/{reference}",
        idempotency_key=f"{reference}-{attempt}",
    )
    with lock:
        # Another request may have begun the next attempt meanwhile.
        if order.attempt == attempt:
            order.checkout_id = checkout.checkout_id
            order.url = checkout.url
            order.is_over = False


@dataclass
class Answer:
    """What is known of an order, and the checkout that it was read from."""

    status: str
    checkout_id: str | None = None
    failure: str | None = None


def find_status(reference, order):
    """Asks what happened to the order. UNKNOWN where the service does not answer: that is no failure."""
    if order.is_paid:
        return Answer("PAID")
    checkout_id = order.checkout_id
    if checkout_id is None:
        return Answer("NOT_OPENED")
    try:
        checkout = TUA.checkouts.get(checkout_id)
    except TuaError as error:
        print(f"{reference}: {error}", flush=True)
        return Answer("UNKNOWN")
    record(checkout)
    charge = checkout.transaction
    failure = charge.failure.message if charge and charge.status is Status.FAILED else None
    return Answer(checkout.status.value, checkout_id, failure)


def record(checkout):
    """Stores what Tua reports: once, whatever arrives twice. Deliver the goods where an order becomes paid."""
    with lock:
        order = orders.get(checkout.reference)
        if order is None or order.is_paid or checkout.amount != order.amount:
            return
        if checkout.status is not CheckoutStatus.PAID:
            if checkout.checkout_id == order.checkout_id:
                order.is_over = checkout.status in (CheckoutStatus.EXPIRED, CheckoutStatus.CLOSED)
            return
        order.is_paid = True
    print(f"{checkout.reference} is paid", flush=True)


def check_open_orders():
    """A webhook can be lost, and a payer can close the tab. So the shop asks about each open order."""
    while True:
        time.sleep(CHECK_SECONDS)
        for reference, order in list(orders.items()):
            if order.checkout_id and not order.is_paid and not order.is_over:
                try:
                    find_status(reference, order)
                except Exception as error:
                    # A fault with one order must not end the asking about all of them.
                    print(f"{reference}: {error!r}", flush=True)


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        self.respond(self.get)

    def do_POST(self):
        self.respond(self.post)

    def respond(self, handler):
        try:
            handler(self.path.partition("?")[0])
        except Exception as error:
            # A fault of the shop itself. Whether money moved is not known here.
            print(repr(error), flush=True)
            self.send(500, "<p>Something went wrong in the shop. If you have paid, please do not pay again.</p>")

    def get(self, path):
        order = re.fullmatch(r"/orders/([^/]+)", path)
        if path == "/":
            button = f"<button>Buy for GHS {PRICE}</button>"
            self.send(200, f'<form method="post" action="/buy">{button}</form>')
        elif order:
            self.show_order(order[1])
        else:
            self.send(404, "<p>There is no such page.</p>")

    def post(self, path):
        length = self.headers.get("content-length", "0")
        if not re.fullmatch(r"[0-9]{1,7}", length) or int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            return self.send(413, "<p>The request is too large.</p>")
        # The signature covers the exact bytes, so the body is not parsed before it is verified.
        body = self.rfile.read(int(length))
        payment = re.fullmatch(r"/orders/([^/]+)/pay", path)
        if path == "/buy":
            self.buy()
        elif path == "/webhooks":
            self.receive_webhook(body)
        elif payment:
            self.pay(payment[1])
        else:
            self.send(404, "<p>There is no such page.</p>")

    def buy(self):
        """The order is stored before the first request, so that nothing is lost where the answer is."""
        reference = f"order-{uuid.uuid4()}"
        orders[reference] = Order(PRICE)
        self.pay(reference)

    def pay(self, reference):
        """Sends the payer to the hosted page. An order has one open checkout, so it cannot be paid twice.
        Each round asks about the checkout that the order has now: another request may have opened one,
        and one whose answer was lost may have expired."""
        order = orders.get(reference)
        if order is None:
            return self.send(404, "<p>There is no such order.</p>")
        for _ in range(5):
            answer = find_status(reference, order)
            with lock:
                is_current = answer.checkout_id == order.checkout_id
                url = order.url
                # Only the first of several requests begins the next attempt.
                if answer.status in ("EXPIRED", "CLOSED") and is_current:
                    order.attempt += 1
                    order.checkout_id = None
            if answer.status == "OPEN" and is_current:
                self.send_response(303)
                self.send_header("location", url)
                self.end_headers()
                return None
            if answer.status == "NOT_OPENED":
                try:
                    open_checkout(reference, order)
                except TuaError as error:
                    # The payer has not seen the hosted page of this attempt, so no money can have moved.
                    print(f"{reference}: {error}", flush=True)
                    button = pay_button(reference, "Try again")
                    return self.send(502, f"<p>{TEXTS['NOT_OPENED']}</p>{button}")
            elif answer.status not in ("OPEN", "EXPIRED", "CLOSED"):
                break
        return self.show_order(reference)

    def show_order(self, reference):
        """The payer comes back, perhaps before the webhook."""
        order = orders.get(reference)
        if order is None:
            return self.send(404, "<p>There is no such order.</p>")
        answer = find_status(reference, order)
        status = answer.status if answer.status in TEXTS else "UNKNOWN"
        if status in ("PENDING", "UNKNOWN"):
            return self.send(200, f"<p>{TEXTS[status]}</p>", refresh=10)
        # A failed attempt leaves the checkout open: the payer can try again there.
        failure = f"<p>{html.escape(answer.failure)}</p>" if answer.failure else ""
        button = "" if status == "PAID" else pay_button(reference, "Pay")
        self.send(200, f"<p>{TEXTS[status]}</p>{failure}{button}")

    def receive_webhook(self, body):
        """Tua reports what happened. A webhook can arrive twice, and later than another one."""
        try:
            event = WEBHOOK.verify(body, self.headers)
        except TuaWebhookError as error:
            return self.send(400, html.escape(str(error)))
        if isinstance(event, CheckoutEvent):
            record(event.data)
        self.send_response(204)
        self.end_headers()

    def send(self, status, body, refresh=None):
        page = f'<!doctype html><html lang="en"><title>Adom Stores</title><h1>Adom Stores</h1>{body}</html>'
        self.send_response(status)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("cache-control", "no-store")
        if refresh:
            self.send_header("refresh", str(refresh))
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *arguments):
        """Without a line for each request."""


def pay_button(reference, label):
    return f'<form method="post" action="/orders/{reference}/pay"><button>{label}</button></form>'


if __name__ == "__main__":
    Thread(target=check_open_orders, daemon=True).start()
    print(f"The shop is at {SHOP_URL}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Shop).serve_forever()
