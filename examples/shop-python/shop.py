"""A shop with one product. It sends the payer to Tua's hosted page, and learns from a webhook that
the order is paid. Where the webhook is lost, it asks.

    pip install -r requirements.txt
    TUA_SECRET_KEY=tua_test_v2_… TUA_WEBHOOK_SECRET=whsec_… python3 shop.py

A real shop keeps its orders in a database. This one keeps them in memory.
"""

import html
import http.client
import json
import os
import re
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

TUA = os.environ.get("TUA_URL", "http://127.0.0.1:8080")
SECRET_KEY = os.environ["TUA_SECRET_KEY"]
PORT = int(os.environ.get("PORT", "9000"))
SHOP_URL = os.environ.get("SHOP_URL", f"http://localhost:{PORT}")
CHECK_SECONDS = float(os.environ.get("CHECK_SECONDS", "60"))
WEBHOOK = Webhook(os.environ["TUA_WEBHOOK_SECRET"])

# The only place that says what things cost. A Decimal is exact; a float such as 0.1 + 0.2 is not.
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


class TuaError(Exception):
    """Tua refused the request, or did not respond as it should."""


def call_tua(method, path, body=None, idempotency_key=None):
    headers = {"x-api-key": SECRET_KEY, "content-type": "application/json"}
    if idempotency_key:
        headers["idempotency-key"] = idempotency_key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{TUA}/v1{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            answer = json.load(response, parse_float=Decimal)
    except urllib.error.HTTPError as error:
        raise TuaError(f"{method} {path}: {error.code}") from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise TuaError(repr(error)) from error
    # Something between the shop and Tua, such as a page to sign in, can answer with 200 too.
    if not isinstance(answer, dict) or "checkoutId" not in answer:
        raise TuaError(f"{method} {path}: no checkout in the answer")
    return answer


def open_checkout(reference, order):
    """Each attempt to pay an order has an idempotency key of its own. A repeated request of the same
    attempt creates nothing new, so it is safe after a timeout. A new attempt needs a new key: the
    old one would return the old checkout, whose 30 minutes are over."""
    attempt = order.attempt
    session = {
        # json cannot write a Decimal. A float with two decimals is written as it was typed.
        "amount": float(order.amount),
        "email": "ama@example.com",
        "reference": reference,
        "returnUrl": f"{SHOP_URL}/orders/{reference}",
    }
    checkout = call_tua("POST", "/checkout", session, idempotency_key=f"{reference}-{attempt}")
    with lock:
        # Another request may have begun the next attempt meanwhile.
        if order.attempt == attempt:
            order.checkout_id, order.url, order.is_over = checkout["checkoutId"], checkout["url"], False


def find_status(reference, order):
    """Asks what happened to the order. UNKNOWN where the service does not answer: that is no failure."""
    if order.is_paid:
        return {"status": "PAID"}
    checkout_id = order.checkout_id
    if checkout_id is None:
        return {"status": "NOT_OPENED"}
    try:
        checkout = call_tua("GET", f"/checkout/{checkout_id}")
    except TuaError as error:
        print(f"{reference}: {error}", flush=True)
        return {"status": "UNKNOWN"}
    record(checkout)
    return checkout


def record(checkout):
    """Stores what Tua reports: once, whatever arrives twice. Deliver the goods where an order becomes paid."""
    with lock:
        order = orders.get(checkout["reference"])
        # A webhook library reads numbers as floats. Their text is the exact amount.
        if order is None or order.is_paid or Decimal(str(checkout["amount"])) != order.amount:
            return
        if checkout["status"] != "PAID":
            if checkout["checkoutId"] == order.checkout_id:
                order.is_over = checkout["status"] in ("EXPIRED", "CLOSED")
            return
        order.is_paid = True
    print(f"{checkout['reference']} is paid", flush=True)


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
            # A fault of the shop itself. It says nothing about money, because it knows nothing about it.
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
        # The signature covers the exact bytes, so the body is not parsed before it is verified.
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
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
            checkout = find_status(reference, order)
            with lock:
                is_current = checkout.get("checkoutId") == order.checkout_id
                url = order.url
                # Only the first of several requests begins the next attempt.
                if checkout["status"] in ("EXPIRED", "CLOSED") and is_current:
                    order.attempt, order.checkout_id = order.attempt + 1, None
            if checkout["status"] == "OPEN" and is_current:
                self.send_response(303)
                self.send_header("location", url)
                self.end_headers()
                return None
            if checkout["status"] == "NOT_OPENED":
                try:
                    open_checkout(reference, order)
                except TuaError as error:
                    # The payer has not seen the hosted page of this attempt, so no money can have moved.
                    print(f"{reference}: {error}", flush=True)
                    button = pay_button(reference, "Try again")
                    return self.send(502, f"<p>{TEXTS['NOT_OPENED']}</p>{button}")
            elif checkout["status"] not in ("OPEN", "EXPIRED", "CLOSED"):
                break
        return self.show_order(reference)

    def show_order(self, reference):
        """The payer comes back, perhaps before the webhook."""
        order = orders.get(reference)
        if order is None:
            return self.send(404, "<p>There is no such order.</p>")
        checkout = find_status(reference, order)
        status = checkout["status"] if checkout["status"] in TEXTS else "UNKNOWN"
        if status in ("PENDING", "UNKNOWN"):
            return self.send(200, f"<p>{TEXTS[status]}</p>", refresh=10)
        # A failed attempt leaves the checkout open: the payer can try again there.
        transaction = checkout.get("transaction") or {}
        failure = ""
        if transaction.get("status") == "FAILED":
            failure = f"<p>{html.escape(transaction['failure']['message'])}</p>"
        button = "" if status == "PAID" else pay_button(reference, "Pay")
        self.send(200, f"<p>{TEXTS[status]}</p>{failure}{button}")

    def receive_webhook(self, body):
        """Tua reports what happened. A webhook can arrive twice, and later than another one."""
        try:
            event = WEBHOOK.verify(body.decode(), {name.lower(): value for name, value in self.headers.items()})
        except (WebhookVerificationError, ValueError):
            return self.send(400, "wrong signature")
        if event["type"].startswith("checkout."):
            record(event["data"])
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
