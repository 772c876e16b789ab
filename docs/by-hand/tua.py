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
import socket
import threading
import time
import urllib.parse
from decimal import Decimal


def _check(name, value, form):
    """A value of the right form. The error does not show it, because it may be a secret."""
    if not re.fullmatch(form, value):
        raise ValueError(f"{name} is empty, or has a character that does not belong there")
    return value


API = _check("TUA_API_URL", os.environ.get("TUA_API_URL", "").strip(), r"https?://[^\s@]+/v1")  # https://pay.example/v1
KEY = _check("TUA_SECRET_KEY", os.environ.get("TUA_SECRET_KEY", "").strip(), "[A-Za-z0-9_-]+")


class Refused(Exception):
    """The service refused: the message has the code and the request id. Nothing was begun by this call."""


class Unknown(Exception):
    """No usable response. After `create` the request may have been executed: repeat it later, and never say "failed".
    After `wait` the status is not known: ask again later."""


def create(path, body, idempotency_key, is_repeated=False):
    """Begins something once: create("/charge", {…}, "order-17-1"). Store the key with the order before the first call.
    A later call with this key has the same body, and is_repeated=True."""
    key = _check("the idempotency key", idempotency_key, "[!-~]{1,255}")
    headers = {"content-type": "application/json", "idempotency-key": key}
    text = json.dumps(body, default=_number, allow_nan=False)
    may_have_begun = is_repeated  # by a request whose outcome is not known
    seconds = 0
    for attempt in range(4):
        if attempt > 0:
            time.sleep(max(seconds, random.random() * 0.5 * 2**attempt))
        status, after, answer, code, fault = _request("POST", path, headers, text, 40)
        if 200 <= status < 300 and any(isinstance(answer.get(name), str) for name in IDENTIFIERS):
            return answer
        is_network_down = code == "network_unavailable"  # and nothing was begun
        is_uncertain = not code or code == "idempotency_in_progress" or (status >= 500 and not is_network_down)
        is_temporary = is_uncertain or status in (408, 429) or (is_network_down and after is not None)
        may_have_begun = may_have_begun or is_uncertain
        if not is_temporary:
            # These do not show whether an earlier attempt was executed.
            is_no_verdict = status in (401, 403, 413) or code == "idempotency_key_reused"
            raise Unknown(fault) if may_have_begun and is_no_verdict else Refused(fault)
        seconds = after or 0
        if seconds > 60:
            break
    raise Unknown(fault) if may_have_begun else Refused(fault)


def wait(transaction_id, seconds=120):
    """Waits until a transaction has ended. After so many seconds it returns what it saw last, which may be PENDING."""
    id = _check("the transaction id", transaction_id, "[A-Za-z0-9_-]+")
    end = time.monotonic() + seconds
    seen = None
    while True:
        poll = max(0, min(30, math.ceil(end - time.monotonic())))
        headers = {"prefer": f"wait={poll}"} if poll > 0 else {}
        status, after, answer, _, fault = _request("GET", f"/status/{id}", headers, None, poll + 10)
        is_seen = status == 200 and answer.get("transactionId") == id and isinstance(answer.get("status"), str)
        if is_seen:
            seen = answer
            if answer["status"] in ("SUCCESSFUL", "FAILED"):
                return answer
        pause = 0.2 if is_seen else max(after or 0, 2)  # a proxy or a busy service may not let it wait
        if time.monotonic() + pause >= end:
            if seen:
                return seen
            raise Unknown(f"the status of {id} is not known: {fault}")
        time.sleep(pause)


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


def _number(value):
    """A Decimal in JSON: the digits of a float that are its digits too. Another value is an error."""
    number = float(value)
    if Decimal(repr(number)) != value:
        raise ValueError(f"{value} has too many digits")
    return number


# The identifiers of created resources. A response to `create` has one of them.
IDENTIFIERS = ("transactionId", "refundId", "checkoutId", "linkId", "batchId", "endpointId")


def _request(method, path, headers, body, seconds):
    """One attempt: its status, seconds of Retry-After, JSON, code and fault. A refusal by the API has a code: a redirect,
    the page of a proxy and a broken connection have none."""
    url = urllib.parse.urlsplit(API)
    make = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = make(url.netloc, timeout=seconds)
    status, after, answer = 0, None, {}
    try:
        connection.connect()
        timer = threading.Timer(seconds, connection.sock.shutdown, [socket.SHUT_RDWR])  # of the whole attempt
        timer.daemon = True
        timer.start()
        try:
            connection.request(method, url.path + path, body, {"x-api-key": KEY, **headers})
            response = connection.getresponse()
            status, retry_after = response.status, response.headers.get("retry-after") or ""
            after = int(retry_after) if re.fullmatch("[0-9]{1,9}", retry_after) else None  # a date is not waited for
            parsed = json.loads(response.read(), parse_float=Decimal)
        finally:
            timer.cancel()
            connection.close()
        answer = parsed if isinstance(parsed, dict) else {}
    except (OSError, http.client.HTTPException, ValueError) as error:
        return status, after, answer, None, f"status {status}, {error!r}"
    code = answer.get("code")
    if status < 400 or not isinstance(code, str):
        return status, after, answer, None, f"status {status} without the JSON of the API"
    return status, after, answer, code, f"{code}: {answer.get('detail')} ({answer.get('requestId')})"
