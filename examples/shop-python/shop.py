"""A shop with one product. It sends the payer to Tua's hosted page, and learns from a webhook that the order is paid.

    pip install -r requirements.txt
    TUA_SECRET_KEY=tua_test_v2_… TUA_WEBHOOK_SECRET=whsec_… python3 shop.py

A real shop keeps its orders in a database. This one keeps them in memory.
"""

import json
import os
import urllib.error
import urllib.request
import uuid
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

TUA = os.environ.get("TUA_URL", "http://127.0.0.1:8080")
SECRET_KEY = os.environ["TUA_SECRET_KEY"]
PORT = int(os.environ.get("PORT", "9000"))
SHOP_URL = os.environ.get("SHOP_URL", f"http://localhost:{PORT}")
WEBHOOK = Webhook(os.environ["TUA_WEBHOOK_SECRET"])

# The only place that says what things cost. A Decimal is exact; a float such as 0.1 + 0.2 is not.
PRICE = Decimal("18.00")

orders = {}  # reference -> {"amount", "checkout_id", "is_paid"}
lock = Lock()

TEXTS = {
    "PAID": "Thank you. The order is paid.",
    "PENDING": "Your payment is not confirmed yet. Please do not pay again. This page shows when it is.",
    "OPEN": "The order is not paid yet.",
    "EXPIRED": "The order was not paid. No money moved.",
    "CLOSED": "The order was closed. No money moved.",
}


class TuaError(Exception):
    """Tua refused the request, or did not respond."""


def call_tua(method, path, body=None, idempotency_key=None):
    headers = {"x-api-key": SECRET_KEY, "content-type": "application/json"}
    # With the same key, a repeated request creates nothing new, so it is safe to repeat it after a timeout.
    if idempotency_key:
        headers["idempotency-key"] = idempotency_key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{TUA}/v1{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response, parse_float=Decimal)
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        raise TuaError(f"{problem['title']}: {problem['detail']} (request {problem['requestId']})") from error
    except OSError as error:
        raise TuaError(str(error)) from error


def mark_paid(checkout):
    """Once, whatever arrives twice. Deliver the goods here."""
    with lock:
        order = orders.get(checkout["reference"])
        if order is None or order["is_paid"] or Decimal(str(checkout["amount"])) != order["amount"]:
            return
        order["is_paid"] = True
    print(f"{checkout['reference']} is paid", flush=True)


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(self.get)

    def do_POST(self):
        self.answer(self.post)

    def answer(self, handler):
        try:
            handler()
        except TuaError as error:
            print(error, flush=True)
            self.send(502, "<p>The payment service does not respond. No money moved. Please try again.</p>")

    def get(self):
        if self.path == "/":
            button = f"<button>Buy for GHS {PRICE}</button>"
            self.send(200, f'<form method="post" action="/buy">{button}</form>')
        elif self.path.startswith("/orders/"):
            self.show_order(self.path.removeprefix("/orders/").partition("?")[0])
        else:
            self.send(404, "<p>There is no such page.</p>")

    def post(self):
        # The signature covers the exact bytes, so the body is not parsed before it is verified.
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if self.path == "/buy":
            self.buy()
        elif self.path == "/webhooks":
            self.receive_webhook(body)
        else:
            self.send(404, "<p>There is no such page.</p>")

    def buy(self):
        """Opens a checkout for a new order, and sends the payer to it."""
        reference = f"order-{uuid.uuid4()}"
        session = {
            "amount": float(PRICE),
            "email": "ama@example.com",
            "reference": reference,
            "returnUrl": f"{SHOP_URL}/orders/{reference}",
        }
        checkout = call_tua("POST", "/checkout", session, idempotency_key=reference)
        orders[reference] = {"amount": PRICE, "checkout_id": checkout["checkoutId"], "is_paid": False}
        self.send_response(303)
        self.send_header("location", checkout["url"])
        self.end_headers()

    def receive_webhook(self, body):
        """Tua reports what happened. A webhook can arrive twice, and later than another one."""
        try:
            event = WEBHOOK.verify(body.decode(), {name.lower(): value for name, value in self.headers.items()})
        except WebhookVerificationError:
            return self.send(400, "wrong signature")
        if event["type"] == "checkout.paid":
            mark_paid(event["data"])
        self.send_response(204)
        self.end_headers()

    def show_order(self, reference):
        """The payer comes back, perhaps before the webhook. So the shop asks."""
        order = orders.get(reference)
        if order is None:
            return self.send(404, "<p>There is no such order.</p>")
        status = "PAID"
        if not order["is_paid"]:
            checkout = call_tua("GET", f"/checkout/{order['checkout_id']}")
            status = checkout["status"]
            if status == "PAID":
                mark_paid(checkout)
        self.send(200, f"<p>{TEXTS[status]}</p>")

    def send(self, status, body):
        page = f'<!doctype html><html lang="en"><title>Adom Stores</title><h1>Adom Stores</h1>{body}</html>'
        self.send_response(status)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *arguments):
        """Without a line for each request."""


if __name__ == "__main__":
    print(f"The shop is at {SHOP_URL}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Shop).serve_forever()
