"""What schemathesis cannot know from the document alone.

Nothing here loosens a check: it narrows what is generated to what the credential of this pass may
send, and hands out ids, a cursor and keys that mean something to the service under test.
"""

import base64
import json
import os
import re
import urllib.parse
import uuid

import jsonschema_rs
import requests
import schemathesis
from hypothesis import strategies as st
from schemathesis.core import NotSet
from schemathesis.core.parameters import ParameterLocation

BASE = os.environ["TUA_TEST_BASE"]
KEY = os.environ["TUA_TEST_KEY"]
AS_PAYER = os.environ["TUA_TEST_AS"] == "payer"
# The amount of every session that this opens, in cedis.
DUE = 10.5
# Transactions that wait for a voucher, five codes each.
WAITING = []
PROPER_KEY = re.compile(r"[!-~]([ -~]{0,253}[!-~])?")
# RFC 9110 section 5.5. What breaks it is refused below HTTP, where there are no problem documents.
FIELD_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
AMOUNTS = ("amount", "minAmount", "maxAmount")
LONG_POLL = re.compile(r"wait=[1-9][0-9]*")
# A format that only browsers define: the addresses that are generated.
URL = re.compile(r"https://([a-z]{1,9}\.){1,3}[a-z]{2,6}(:[1-9][0-9]{0,3})?(/[a-z0-9/?=&-]{0,40})?")
# What says whether a body is valid, by route. Filled as soon as the document is loaded.
BODIES = {}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    restore_what_the_document_leaves_open(raw_schema)
    # One credential in one header: a random one in the other would be a conflict, and nothing else would be tried.
    for operation in operations(raw_schema):
        operation["security"] = [scheme for scheme in operation["security"] if "bearer" not in scheme]
    # The document gives a body the schema that it has with a secret key, and beside it the one with a token.
    if AS_PAYER:
        for content in bodies(raw_schema):
            if "x-checkout-token-schema" in content:
                content["schema"] = content.pop("x-checkout-token-schema")
                content.pop("examples", None)
    schemas = raw_schema["components"]["schemas"]
    # A sum that differs from what the payer would pay now is rightly refused, and there are no tariffs here.
    for name in ("ChargeRequest", "CheckoutChargeRequest"):
        schemas[name]["properties"]["payerPays"] = {"enum": [DUE, None] if name.startswith("Checkout") else [None]}
    if AS_PAYER:
        schemas["CheckoutChargeRequest"]["properties"]["amount"] = {"enum": [DUE, None]}
        schemas["CheckoutQuoteRequest"]["properties"]["amount"] = {"enum": [DUE, None]}
        schemas["CheckoutQuoteRequest"]["properties"]["type"] = {"enum": ["CHARGE", None]}
    else:
        narrow_links(raw_schema)
        narrow_events(raw_schema)
        # Any string looks like a cursor, and only ours are taken.
        of_transactions = some_cursor()
        for path, cursor in (
            ("/v1/transactions", of_transactions),
            ("/v1/refunds", of_transactions),
            ("/v1/links", cursor_of_links()),
            ("/v1/checkouts", cursor_of_checkouts()),
            ("/v1/webhooks", cursor_of_endpoints()),
        ):
            parameters = raw_schema["paths"][path]["get"]["parameters"]
            parameter = next(parameter for parameter in parameters if parameter["name"] == "cursor")
            parameter["schema"] = {"type": "string", "enum": [cursor]}
        WAITING.extend(charge_by_voucher() for _ in range(10))
    BODIES.update(validators(raw_schema))


def narrow_events(raw_schema):
    """OpenAPI cannot express this: `after` excludes `cursor`, `wait` needs `after`, and `after` names an event."""
    listing = raw_schema["paths"]["/v1/events"]["get"]
    listing["parameters"] = [one for one in listing["parameters"] if one["name"] not in ("cursor", "wait")]
    after = next(one for one in listing["parameters"] if one["name"] == "after")
    after["schema"] = {"type": "string", "enum": [""]}
    # What nobody does is not waited for. `requestId` excludes `after`, which must be a number of the same log.
    logs = raw_schema["paths"]["/v1/logs"]["get"]
    logs["parameters"] = [one for one in logs["parameters"] if one["name"] not in ("after", "wait")]


@schemathesis.hook
def filter_case(context, case):
    """Drops a body that is called invalid and is not: `null` made an object, say, where either may stand."""
    if case.meta is None or not case.meta.is_negative_at(ParameterLocation.BODY):
        return True
    validator = BODIES.get((case.method.upper(), case.operation.path))
    is_json = not isinstance(case.body, (NotSet, bytes))
    return validator is None or not is_json or not validator.is_valid(case.body)


@schemathesis.hook
def filter_headers(context, headers):
    return all(FIELD_VALUE.fullmatch(value) for value in (headers or {}).values() if isinstance(value, str))


@schemathesis.hook
def map_body(context, body):
    if not isinstance(body, dict):
        return body
    # Any string looks like an id; every other one is made to be one.
    transaction = body.get("transactionId")
    if WAITING and isinstance(transaction, str) and len(transaction) % 2 == 0:
        body["transactionId"] = WAITING[len(transaction) // 2 % len(WAITING)]
    for payment in payments(body):
        # A schema cannot say that there are no control characters at any depth.
        if isinstance(payment.get("metadata"), dict):
            payment["metadata"] = without_control_characters(payment["metadata"])
    return body


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = case.headers or {}
    # The same key with another body is rightly refused, and short random keys soon repeat.
    key = headers.get("Idempotency-Key")
    if isinstance(key, str) and PROPER_KEY.fullmatch(key):
        unique = uuid.uuid4().hex
        headers["Idempotency-Key"] = key[: 255 - len(unique)] + unique
    # What nobody will change is not waited for.
    wait = headers.get("Prefer")
    if isinstance(wait, str) and LONG_POLL.fullmatch(wait):
        headers["Prefer"] = "wait=0"
    # Multiples of 0.01 are generated in binary floats, and 57 * 0.01 is 0.5700000000000001 there. In a body that is meant
    # to be refused, this can be the reason.
    if case.meta is None or not case.meta.is_negative_at(ParameterLocation.BODY):
        for payment in payments(case.body):
            round_amounts(payment)


if AS_PAYER:

    # A session has five attempts, so it is soon used up.
    @schemathesis.auth(refresh_interval=1)
    class FreshSession:
        def get(self, case, context):
            return call("POST", "/v1/checkout", {"amount": DUE, "email": "ama@example.com"})["checkoutToken"]

        def set(self, case, data, context):
            case.headers = case.headers or {}
            case.headers["x-api-key"] = data


schemathesis.openapi.format("url", st.from_regex(URL, fullmatch=True))


def restore_what_the_document_leaves_open(raw_schema):
    """Makes the document as strict as this version of the service is.

    Clients must accept values that later versions add, and their validators cannot compute with decimals. Here, neither is
    so: this service has no other values, and the validator is exact.
    """
    base = urllib.parse.urlsplit(raw_schema["servers"][0]["url"]).path
    paths = {}
    for path, item in raw_schema["paths"].items():
        has_own_server = item.pop("servers", None) is not None
        paths[path if has_own_server else base + path] = item
    raw_schema["paths"] = paths
    for schema in objects(raw_schema["components"]["schemas"]):
        if "x-extensible-enum" in schema:
            schema["enum"] = schema.pop("x-extensible-enum")
        if schema.get("type") == "number" and schema.get("format") == "decimal":
            schema["multipleOf"] = 0.01
    for link in (link for response in responses(raw_schema) for link in response.get("links", {}).values()):
        # Text with expressions in braces: schemathesis reads an object of expressions.
        if "requestBody" in link:
            link["requestBody"] = json.loads(re.sub(r'"?\{(\$[^}]+)\}"?', r'"\1"', link["requestBody"]))
    for response in responses(raw_schema):
        problem = response.get("content", {}).get("application/problem+json")
        if problem:
            codes = {"properties": {"code": {"enum": list(problem["examples"])}}}
            problem["schema"] = {"allOf": [problem["schema"], codes]}


def objects(value):
    """Every object in a JSON value."""
    if isinstance(value, dict):
        yield value
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from objects(member)


def operations(raw_schema):
    return [operation for item in raw_schema["paths"].values() for operation in item.values()]


def responses(raw_schema):
    return [response for operation in operations(raw_schema) for response in operation["responses"].values()]


def bodies(raw_schema):
    """The media types of all requests and responses."""
    requests_and_responses = [
        *(operation["requestBody"] for operation in operations(raw_schema) if "requestBody" in operation),
        *responses(raw_schema),
    ]
    return [content for one in requests_and_responses for content in one.get("content", {}).values()]


def validators(raw_schema):
    found = {}
    for path, item in raw_schema["paths"].items():
        for method, operation in item.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if body:
                schema = {**body["schema"], "components": raw_schema["components"]}
                found[method.upper(), path] = jsonschema_rs.Draft202012Validator(
                    schema, validate_formats=True, formats={"url": lambda value: URL.fullmatch(value) is not None}
                )
    return found


def payments(body):
    """The objects of a body that describe a payment: the body itself, and each payout of a batch."""
    listed = body.get("payouts") if isinstance(body, dict) else None
    return [one for one in [body, *(listed if isinstance(listed, list) else [])] if isinstance(one, dict)]


def round_amounts(payment):
    for name in AMOUNTS:
        amount = payment.get(name)
        if isinstance(amount, float) and abs(amount - round(amount, 2)) < 1e-6:
            payment[name] = round(amount, 2)


def narrow_links(raw_schema):
    """A link has an amount or limits, the smaller limit first, and ends in the future."""
    content = raw_schema["paths"]["/v1/links"]["post"]["requestBody"]["content"]["application/json"]
    name = content["schema"]["$ref"].rsplit("/", 1)[-1]
    link = raw_schema["components"]["schemas"][name]
    link["properties"]["expiresAt"] = {"enum": ["2999-12-31T23:59:59Z", None]}
    link["properties"]["minAmount"] = {"enum": [1, None]}
    link["properties"]["maxAmount"] = {"enum": [DUE, None]}
    forms = []
    for absent in (("minAmount", "maxAmount"), ("amount",)):
        properties = {name: value for name, value in link["properties"].items() if name not in absent}
        forms.append({**link, "properties": properties})
    content["schema"] = {"anyOf": forms}
    content.pop("example", None)
    content.pop("examples", None)


def without_control_characters(value):
    if isinstance(value, str):
        return CONTROL.sub("", value)
    if isinstance(value, list):
        return [without_control_characters(item) for item in value]
    if isinstance(value, dict):
        return {CONTROL.sub("", name): without_control_characters(member) for name, member in value.items()}
    return value


def charge_by_voucher():
    charge = {"phoneNumber": "0201234567", "network": "TELECEL", "amount": DUE}
    return call("POST", "/v1/charge", charge)["transactionId"]


def some_cursor():
    for _ in range(2):
        call("POST", "/v1/payout", {"phoneNumber": "0241234567", "network": "MTN", "amount": DUE})
    return call("GET", "/v1/transactions?limit=1")["nextCursor"]


def cursor_of_endpoints():
    """Endpoints of the service's own making could be disabled by other requests; a cursor needs none."""
    return base64.urlsafe_b64encode(b"whe_" + b"0" * 32).decode().rstrip("=")


def cursor_of_links():
    for _ in range(2):
        call("POST", "/v1/links", {"title": "A link"})
    return call("GET", "/v1/links?limit=1")["nextCursor"]


def cursor_of_checkouts():
    for _ in range(2):
        call("POST", "/v1/checkout", {"amount": DUE, "email": "ama@example.com"})
    return call("GET", "/v1/checkouts?limit=1")["nextCursor"]


def call(method, path, body=None):
    answer = requests.request(method, BASE + path, json=body, headers={"x-api-key": KEY}, timeout=30)
    answer.raise_for_status()
    return answer.json()
