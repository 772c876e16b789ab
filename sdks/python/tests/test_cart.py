"""The carts of sdks/conformance, in the real frameworks."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import anyio
import httpx
import pytest
from conformance import FOLDER, KEY, client_options, program

from tua_pay import AsyncTua, CartCheckout, CartRequest, CartResponse, Donation, SoldItem, Tua, TuaUsageError

CARTS = json.loads((FOLDER / "carts.json").read_text("utf-8"))
SHOP = CARTS["shop"]
RIGHT = CARTS["cases"][0]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with program("server.mjs") as address:
        yield address


@pytest.fixture(scope="module")
def connections() -> Iterator[httpx.Client]:
    """One for all cases: it takes longer to make one than to send a cart."""
    with httpx.Client() as client:
        yield client


def find_items(skus: list[str]) -> list[SoldItem]:
    if SHOP["broken"] in skus:
        raise RuntimeError("the database is down: password hunter2")
    return [SoldItem(**item) for item in SHOP["items"] if item["sku"] in skus]


async def find_items_async(skus: list[str]) -> list[SoldItem]:
    return find_items(skus)


def shop(tua: Tua | AsyncTua, **options: Any) -> CartCheckout:
    given = {"find_items": find_items, "donation": Donation(**SHOP["donation"]), "return_url": SHOP["returnUrl"]}
    return CartCheckout(tua, **(given | options))


def request_of(case: dict[str, Any]) -> tuple[bytes, dict[str, str]]:
    headers = {"content-type": case.get("contentType", "application/json")}
    if "contentEncoding" in case:
        headers["content-encoding"] = case["contentEncoding"]
    return str(case["body"]).ljust(case.get("padTo", 0)).encode(), headers


# The status, the headers and the text of the response of a shop.
Answer = tuple[int, dict[str, str], str]


def in_flask(tua: Tua, body: bytes, headers: dict[str, str]) -> Answer:
    import flask

    from tua_pay.flask import checkout_view

    app = flask.Flask("shop")
    app.post("/checkout")(checkout_view(shop(tua)))
    response = app.test_client().post("/checkout", data=body, headers=headers)
    return response.status_code, {name.lower(): value for name, value in response.headers.items()}, response.text


urlpatterns: list[Any] = []


def in_django(tua: Tua, body: bytes, headers: dict[str, str]) -> Answer:
    from django.test import Client, override_settings
    from django.urls import clear_url_caches, path

    from tua_pay.django import checkout_view

    urlpatterns[:] = [path("checkout", checkout_view(shop(tua)))]
    clear_url_caches()
    others = {name: value for name, value in headers.items() if name != "content-type"}
    with override_settings(ROOT_URLCONF="test_cart"):
        client = Client(enforce_csrf_checks=True)
        # Django's client sends no content_type with an empty body.
        extra: dict[str, Any] = {"CONTENT_TYPE": headers["content-type"]}
        response = client.generic("POST", "/checkout", body, headers=others, **extra)
    return response.status_code, {name.lower(): value for name, value in response.items()}, response.content.decode()


def in_fastapi(tua: Tua | AsyncTua, body: bytes, headers: dict[str, str], **options: Any) -> Answer:
    import fastapi

    from tua_pay.fastapi import checkout_endpoint

    app = fastapi.FastAPI()
    app.post("/checkout")(checkout_endpoint(shop(tua, **options)))

    async def send() -> Answer:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://shop") as client:
            response = await client.post("/checkout", content=body, headers=headers)
        return response.status_code, dict(response.headers), response.text

    return anyio.run(send)


def in_fastapi_async(tua: Tua, body: bytes, headers: dict[str, str]) -> Answer:
    config = tua._transport.config
    client = httpx.AsyncClient(verify=False)
    other = AsyncTua(secret_key=KEY, base_url=config.base_url, max_retries=config.max_retries, http_client=client)
    return in_fastapi(other, body, headers, find_items=find_items_async)


Send = Callable[[Tua, bytes, dict[str, str]], Answer]


@pytest.mark.parametrize("send", [in_flask, in_django, in_fastapi, in_fastapi_async])
@pytest.mark.parametrize("case", CARTS["cases"], ids=lambda case: case["name"])
def test_case(server: str, connections: httpx.Client, send: Send, case: dict[str, Any]) -> None:
    base = f"{server}/python-{send.__name__}/{quote(case['name'])}"
    tua = Tua(**client_options(case, f"{base}/v1"), http_client=connections)
    status, headers, text = send(tua, *request_of(case))
    check(case["expect"], status, headers, text, f"{base}/docs/errors/")
    assert connections.get(f"{base}/verify").json() == {"problems": []}


def check(expect: dict[str, Any], status: int, headers: dict[str, str], text: str, error_pages: str) -> None:
    assert status == expect["status"], text
    assert KEY not in text and "hunter2" not in text
    for name, value in expect.get("headers", {}).items():
        assert headers[name] == value
    body = json.loads(text)
    if status == 201:
        assert list(body) == ["checkoutToken", "url", "expiresAt"]
        return
    assert headers["content-type"].startswith("application/problem+json")
    assert (body["code"], body["type"], body["status"]) == (expect["code"], error_pages + expect["code"], status)
    assert body["title"] == expect.get("title", body["title"]) != "Error"
    faults = [[fault["pointer"], fault["code"]] for fault in body.get("errors", [])]
    assert faults == expect.get("faults", [])


def respond(cart: CartCheckout, body: str, address: str | None) -> CartResponse:
    return cart.respond(CartRequest("application/json", body.encode(), address=address))


def right(server: str) -> Tua:
    return Tua(secret_key=KEY, base_url=f"{server}/python-more/{quote(RIGHT['name'])}/v1")


def test_a_cart_is_limited_by_the_address_of_its_client(server: str) -> None:
    cart = shop(right(server))
    assert {respond(cart, "{", "2001:db8::1").status for _ in range(60)} == {400}
    refused = respond(cart, "{", "2001:db8:0:0:ffff::2")
    assert (refused.status, refused.headers["retry-after"]) == (429, "1")
    assert json.loads(refused.body)["code"] == "rate_limited"
    for other in ("2001:db8:0:1::1", "192.0.2.1", None):
        assert respond(cart, "{", other).status == 400


def test_a_cart_opens_no_more_checkouts_than_one_address_may_have(server: str) -> None:
    cart = shop(right(server), max_open_sessions=4)
    addresses = ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"]
    assert [respond(cart, RIGHT["body"], address).status for address in addresses] == [201, 201, 429, 201]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("the key is wrong", "invalid_credentials"),
        ("shows no secret", "validation_failed (status 422)"),
        ("the shop's own fault", "hunter2"),
    ],
)
def test_a_fault_of_the_shop_leaves_one_line(server: str, caplog: pytest.LogCaptureFixture, name: str, words: str) -> None:
    (case,) = (case for case in CARTS["cases"] if case["name"].endswith(name))
    with Tua(secret_key=KEY, base_url=f"{server}/python-log/{quote(case['name'])}/v1") as tua:
        respond(shop(tua), case["body"], None)
    (record,) = (record for record in caplog.records if record.name == "tua_pay.cart")
    written = logging.Formatter("%(message)s").format(record)
    assert record.levelname == "ERROR" and words in written and KEY not in written


def test_a_coroutine_that_nobody_awaits_is_a_fault(server: str, caplog: pytest.LogCaptureFixture) -> None:
    cart = shop(right(server), find_items=find_items_async)
    assert respond(cart, RIGHT["body"], None).status == 500
    assert "find_items that is no coroutine" in caplog.text


@pytest.mark.parametrize(
    "options",
    [
        {"return_url": "https://{reference}.shop.example/"},
        {"return_url": "https://shop.example:{reference}/"},
        {"return_url": "orders/{reference}"},
        {"return_url": "https://user@shop.example/"},
        {"donation": Donation("Library", "2", "1")},
        {"donation": Donation("", "1", "2")},
        {"max_open_sessions": 0},
    ],
)
def test_wrong_settings_are_refused(options: dict[str, Any]) -> None:
    with Tua(secret_key=KEY, base_url="https://pay.example/v1") as tua, pytest.raises(TuaUsageError):
        shop(tua, **options)
