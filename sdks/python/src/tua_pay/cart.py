"""Opens checkouts for the carts of a page: `POST /checkout` of the shop. It has the prices, and the page gets a token."""

from __future__ import annotations

import inspect
import json
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Generator, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import anyio.to_thread

from ._async_client import AsyncTua
from ._cart_json import parse_json
from ._cart_limits import AddressLimit
from ._cart_order import Donation, SoldItem, as_object, check_name, find_skus, read_order, to_pesewas
from ._cart_problem import CartProblem, is_known_code
from ._sync_client import Tua
from .errors import Fault, TuaApiError, TuaRequestError, TuaUnexpectedResponseError, TuaUsageError
from .models import OpenedCheckout

__all__ = ["MAX_CART_BYTES", "CartCheckout", "CartRequest", "CartResponse", "Donation", "SoldItem"]

MAX_CART_BYTES = 32 * 1_024
"""The longest cart, in bytes."""

FindItems = Callable[[list[str]], Iterable[SoldItem] | Awaitable[Iterable[SoldItem]]]
"""The items with these SKUs, of those that the shop sells now. Names and prices come from here, never from the page."""

_LOG = logging.getLogger("tua_pay.cart")
_CARTS_PER_MINUTE = 60
_SESSION_LIFETIME = 30 * 60
_OF_CART = ("/email", "/reference", "/metadata")
_SECRET_KEY = re.compile(r"(tua_(test|live)_v2_|sk_(test|live)_)[A-Za-z0-9_-]")
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_UNAVAILABLE = "The payment service cannot be reached at the moment. No money has moved. Try again later."
_REFUSED = "The payment service did not accept this shop's request. No money has moved. Please tell the shop."
_FAILED = "The shop could not read the cart. No money has moved. Try again later."


@dataclass(frozen=True)
class CartRequest:
    """The request of a page, as a framework has it."""

    content_type: str | None
    body: bytes
    """A body of more than `MAX_CART_BYTES` may be cut after one more byte."""
    content_encoding: str | None = None
    address: str | None = None
    """The address of the client. Without it, nothing is limited by address."""


@dataclass(frozen=True)
class CartResponse:
    """201 with `checkoutToken`, `url` and `expiresAt`, or a problem document."""

    status: int
    headers: dict[str, str]
    body: str


_Steps = Generator[Callable[[], Any], Any, CartResponse]


class CartCheckout:
    """Opens checkouts for the carts of a page.

    `return_url` is where the payer comes back to, such as `https://shop.example/orders/{reference}`. One address may have
    `max_open_sessions` open checkouts. With `AsyncTua` or a `find_items` that is a coroutine, only FastAPI can use it.
    """

    def __init__(
        self,
        tua: Tua | AsyncTua,
        *,
        find_items: FindItems,
        donation: Donation | None = None,
        return_url: str | None = None,
        max_open_sessions: int = 200,
    ) -> None:
        if donation is not None:
            check_name(donation.name, "donation.name")
            if to_pesewas(donation.min, "donation.min") > to_pesewas(donation.max, "donation.max"):
                raise TuaUsageError("donation.min is more than donation.max.")
        if return_url is not None:
            _check_return_url(return_url)
        if max_open_sessions < 1:
            raise TuaUsageError("max_open_sessions is a number from 1.")
        self._tua = tua
        self._find_items = find_items
        self._donation = donation
        self._return_url = return_url
        self._carts = AddressLimit(_CARTS_PER_MINUTE, 60)
        # Half of them at once. The other half comes back while the first ones are open.
        self._sessions = AddressLimit(max(1, max_open_sessions // 2), _SESSION_LIFETIME)

    def respond(self, request: CartRequest) -> CartResponse:
        """Answers a page."""
        steps = self._answer(request)
        try:
            step = next(steps)
            while True:
                try:
                    value = _not_awaited(step())
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(value)
        except StopIteration as done:
            response: CartResponse = done.value
            return response

    async def respond_async(self, request: CartRequest) -> CartResponse:
        """Answers a page in a framework that is asynchronous. What is no coroutine runs in a thread."""
        steps = self._answer(request)
        try:
            step = next(steps)
            while True:
                try:
                    value = await anyio.to_thread.run_sync(step)
                    if inspect.isawaitable(value):
                        value = await value
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(value)
        except StopIteration as done:
            response: CartResponse = done.value
            return response

    def _answer(self, request: CartRequest) -> _Steps:
        """Yields the calls that wait, and returns the response."""
        try:
            session = yield from self._open(request)
            headers = {"content-type": "application/json", "cache-control": "no-store"}
            return CartResponse(201, headers, json.dumps(session))
        except CartProblem as error:
            problem = error
            if problem.reason is not None:
                _LOG.error("checkout: %s", problem.reason)
        except Exception:
            _LOG.exception("checkout: the shop could not read the cart")
            problem = CartProblem(500, "internal_error", _FAILED)
        headers = {"content-type": "application/problem+json", "cache-control": "no-store", **problem.headers}
        return CartResponse(problem.status, headers, problem.write(self._tua.base_url.removesuffix("v1") + "docs/errors/"))

    def _open(self, request: CartRequest) -> Generator[Callable[[], Any], Any, dict[str, str]]:
        if request.address:
            _refuse_after(self._carts.count(request.address))
        _check_media_type(request)
        cart = _read_body(request.body)
        skus = find_skus(cart, self._donation)
        sold = (yield lambda: self._find_items(skus)) if skus else []
        order = read_order(cart, sold, self._donation)
        if request.address:
            _refuse_after(self._sessions.count(request.address))
        reference = order.reference if order.reference is not None else _generate_reference()
        return_url = self._return_url and self._return_url.replace("{reference}", quote(reference, safe=""))
        try:
            opened = yield lambda: self._tua.checkouts.create(
                amount=order.total,
                email=order.email,
                reference=reference,
                metadata=order.metadata,
                return_url=return_url,
            )
        except TuaRequestError as error:
            raise _refused_by_service(error, reference) from error
        return _read_session(opened)


def _not_awaited(value: Any) -> Any:
    if not inspect.isawaitable(value):
        return value
    if inspect.iscoroutine(value):
        value.close()
    raise TuaUsageError("A coroutine is not awaited here. Use Tua, and a find_items that is no coroutine (def).")


def _refuse_after(seconds: int) -> None:
    if seconds:
        detail = f"Too many requests came from this address. Try again in {seconds} s."
        raise CartProblem(429, "rate_limited", detail, headers={"retry-after": str(seconds)})


def _check_media_type(request: CartRequest) -> None:
    """A browser asks before it sends this type to another origin, which it does not for a form's types."""
    if not re.match(r"application/json\s*(;|\Z)", request.content_type or "", re.IGNORECASE):
        raise CartProblem(415, "unsupported_media_type", "Send the body as `Content-Type: application/json`.")
    if (request.content_encoding or "").strip().lower() not in ("", "identity"):
        detail = "Send the body as it is: without compression, and without the header Content-Encoding."
        raise CartProblem(415, "unsupported_media_type", detail, headers={"accept-encoding": "identity"})


def _read_body(body: bytes) -> dict[str, Any]:
    if len(body) > MAX_CART_BYTES:
        raise CartProblem(413, "body_too_large", "The body is larger than 32 KiB.")
    try:
        value = parse_json(body)
    except ValueError as error:
        raise CartProblem(400, "malformed_json", str(error)) from error
    cart = as_object(value)
    if cart is None:
        raise CartProblem.of([Fault("", "invalid_type", "The body must be a JSON object.")])
    return cart


def _generate_reference() -> str:
    """A reference such as `shop-7k3m9x2q4tza8c5d`: it cannot be guessed, and is easy to spell (no i, l, o or u)."""
    return "shop-" + "".join(secrets.choice(_ALPHABET) for _ in range(16))


def _check_return_url(return_url: str) -> None:
    """A page may choose the reference, so the reference may not choose the site."""

    def origin(reference: str) -> tuple[str, str] | None:
        try:
            url = urlsplit(return_url.replace("{reference}", reference))
            is_web = url.scheme in ("http", "https") and url.hostname and "@" not in url.netloc and url.port != 0
        except ValueError:
            return None
        return (url.scheme, url.netloc) if is_web else None

    if origin("1") is None or origin("1") != origin("2"):
        raise TuaUsageError(
            "return_url is the address of a page, such as https://shop.example/orders/{reference}; {reference} may appear "
            "only after the host."
        )


def _read_session(opened: OpenedCheckout) -> dict[str, str]:
    """These three members only, whatever the service responds."""
    token, url = opened.checkout_token, opened.url
    try:
        address = urlsplit(url)
        datetime.fromisoformat(opened.expires_at)
        is_session = token in parse_qs(address.query).get("key", []) and address.scheme in ("http", "https")
    except ValueError:
        is_session = False
    is_session = is_session and not _SECRET_KEY.search(url)
    if is_session and re.fullmatch(r"tua_checkout_[A-Za-z0-9_-]+", token):
        return {"checkoutToken": token, "url": url, "expiresAt": opened.expires_at}
    raise CartProblem(502, "upstream_unavailable", _UNAVAILABLE, reason="the response has no checkout session")


def _refused_by_service(error: TuaRequestError, reference: str) -> CartProblem:
    """What the page may know of a fault of the service: what it can correct itself. The log has the rest."""
    status = error.status if isinstance(error, TuaApiError | TuaUnexpectedResponseError) else 0
    if isinstance(error, TuaApiError) and status == 422:
        faults = [fault for fault in error.errors if _is_of_page(fault)]
        if faults:
            return CartProblem.of(faults)
    text = str(error)
    if isinstance(error, TuaApiError):
        # The texts of a refusal could contain personal data.
        code = error.code if re.fullmatch("[a-z_]{1,64}", error.code) else "unknown code"
        text = f"{code} (status {status})"
    reason = f"{reference}: {text}"
    if 400 <= status < 500 and status != 429:
        return CartProblem(502, "upstream_refused", _REFUSED, reason=reason)
    return CartProblem(502, "upstream_unavailable", _UNAVAILABLE, reason=reason)


def _is_of_page(fault: Fault) -> bool:
    """A fault that the page can correct, and that shows no secret."""
    return fault.pointer in _OF_CART and is_known_code(fault.code) and not _SECRET_KEY.search(fault.detail)
