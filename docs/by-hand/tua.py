"""Tua's API without an SDK, in Python 3.11 or later with its standard library alone."""

import base64
import hashlib
import hmac
import http.client
import json
import math
import os
import random
import re
import time
import urllib.error
import urllib.request
from decimal import Decimal

API = os.environ["TUA_API_URL"]  # https://pay.example/v1
KEY = os.environ["TUA_SECRET_KEY"]


class Refused(Exception):
    """The service refused: the message has the code and the request id. Nothing was begun by this call."""


class Unknown(Exception):
    """No usable response: the request may have been executed. Call again with the same idempotency key."""


def create(path, body, idempotency_key):
    """Begins something once: create("/charge", {…}, "order-17-1"). Store the key with the order before the first call."""
    headers = {"content-type": "application/json", "idempotency-key": idempotency_key}
    return _send("POST", path, headers, json.dumps(body).encode())


def wait(transaction_id, seconds=120):
    """Waits until a transaction has ended. After so many seconds it returns what it saw last, which may be PENDING."""
    end = time.monotonic() + seconds
    while True:
        left = min(30, math.ceil(end - time.monotonic()))
        headers = {"prefer": f"wait={left}"} if left > 0 else {}
        transaction = _send("GET", f"/status/{transaction_id}", headers, None, transaction_id)
        if transaction["status"] != "PENDING" or left <= 0:
            return transaction
        time.sleep(0.2)  # also where a proxy or a busy service does not let it wait


def verify(body, headers, secrets, now=None):
    """The event of a delivery. `body` has the bytes as they arrived, `headers` names in lower case, and `secrets` one
    secret or both of a rotation."""
    id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp")
    signatures = headers.get("webhook-signature", "").split(" ")
    if not id or not re.fullmatch("[0-9]{1,12}", timestamp or ""):
        raise ValueError("not a webhook of Tua")
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        raise ValueError("the delivery is too old, or a clock is wrong")
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
    if any(len(key) < 24 for key in keys):
        raise ValueError("a secret is empty or too short")  # anybody could sign with it
    is_right = False
    for key in keys:
        digest = hmac.digest(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256)
        expected = b"v1," + base64.b64encode(digest)
        is_right |= any(hmac.compare_digest(expected, one.encode()) for one in signatures)
    if not is_right:
        raise ValueError("the signature is wrong")
    return {"id": id, **json.loads(body, parse_float=Decimal)}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another address."""

    def redirect_request(self, *args):
        return None


IDENTIFIERS = ("transactionId", "refundId", "checkoutId", "linkId", "batchId", "endpointId")


def _is_answer(answer, transaction_id):
    """Whether this is the transaction that was asked for, or something that was begun. Another server's JSON is neither."""
    if transaction_id is not None:
        return answer.get("transactionId") == transaction_id and isinstance(answer.get("status"), str)
    return any(isinstance(answer.get(name), str) for name in IDENTIFIERS)


def _send(method, path, headers, body=None, transaction_id=None):
    opener = urllib.request.build_opener(_NoRedirect)
    request = urllib.request.Request(API + path, body, {"x-api-key": KEY, **headers}, method=method)
    fault, after = None, 0
    may_have_begun = False  # by an attempt without a usable response
    for attempt in range(4):
        if attempt > 0:
            time.sleep(max(after, random.random() * 0.5 * 2**attempt))
        try:
            try:
                response = opener.open(request, timeout=40)
            except urllib.error.HTTPError as refusal:
                response = refusal
            with response:
                status, seconds = response.status, response.headers.get("retry-after") or ""
                after = min(int(seconds), 60) if re.fullmatch("[0-9]{1,9}", seconds) else 0  # a date is not waited for
                answer = json.load(response, parse_float=Decimal)  # a page of a proxy is no answer
            if status < 300 and _is_answer(answer, transaction_id):
                return answer
            if status < 400 or not isinstance(answer.get("code"), str):
                raise ValueError(f"status {status} without the JSON of the API")
            message = f"{answer['code']}: {answer.get('detail')} ({answer.get('requestId')})"
            is_busy = status in (408, 429)
            fault = Unknown(message)
            if status < 500 and not is_busy and answer["code"] != "idempotency_in_progress":
                # These are decided before the key is read, so they say nothing about an earlier attempt.
                if not may_have_begun or status not in (401, 403, 413):
                    fault = Refused(message)
                break
            may_have_begun = may_have_begun or not is_busy
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            fault = Unknown(repr(error))
            may_have_begun = True
    raise fault
