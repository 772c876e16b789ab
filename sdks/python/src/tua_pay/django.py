"""Webhooks and carts in Django."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from ._respond import CONTENT_TYPE, check_arguments, respond
from .cart import MAX_CART_BYTES, CartCheckout, CartRequest
from .webhook import MAX_BODY_BYTES, EventHandler, Webhook, body_parsed, body_too_large

_ADVICE = (
    "Do not read request.POST or request.FILES in a middleware before this view. In Django REST framework, do not use "
    "request.data: register this view without APIView."
)


def webhook_view(webhook: Webhook, handler: EventHandler) -> Callable[[HttpRequest], HttpResponse]:
    """A view without the check against forged forms, which a webhook cannot pass:
    `path("webhooks", webhook_view(webhook, handler))`."""
    check_arguments(webhook, handler, is_awaited=False)

    def tua_webhook(request: HttpRequest) -> HttpResponse:
        def read_body() -> bytes:
            # Django reads no more than this header names.
            length = str(request.META.get("CONTENT_LENGTH") or "0")
            if length.isdecimal() and int(length) > MAX_BODY_BYTES:
                raise body_too_large()
            try:
                body = bytes(request.body)
            except RequestDataTooBig as error:
                raise body_too_large() from error
            except RawPostDataException as error:
                raise body_parsed(_ADVICE) from error
            if len(body) > MAX_BODY_BYTES:
                raise body_too_large()
            return body

        status, text = respond(webhook, read_body, dict(request.headers), handler)
        return HttpResponse(text, status=status, content_type=CONTENT_TYPE)

    view: Callable[[HttpRequest], HttpResponse] = csrf_exempt(require_POST(tua_webhook))
    return view


def checkout_view(cart: CartCheckout) -> Callable[[HttpRequest], HttpResponse]:
    """A view: `path("checkout", checkout_view(cart))`. It needs no check against forged forms: a form cannot send
    `application/json`, and nothing belongs to a session. The address of the client is `REMOTE_ADDR`."""

    def tua_checkout(request: HttpRequest) -> HttpResponse:
        length = str(request.META.get("CONTENT_LENGTH") or "0")
        is_short = length.isdecimal() and int(length) <= MAX_CART_BYTES
        try:
            body = bytes(request.body) if is_short else b" " * (MAX_CART_BYTES + 1)
        except RequestDataTooBig:
            body = b" " * (MAX_CART_BYTES + 1)
        except RawPostDataException:  # A form that a middleware has read: the type is refused.
            body = b""
        headers = request.headers
        response = cart.respond(
            CartRequest(headers.get("content-type"), body, headers.get("content-encoding"), request.META.get("REMOTE_ADDR"))
        )
        return HttpResponse(response.body, status=response.status, headers=response.headers)

    view: Callable[[HttpRequest], HttpResponse] = csrf_exempt(require_POST(tua_checkout))
    return view
