"""System checks: `manage.py check` names what is wrong in the settings. No message has a secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core import checks
from django.urls import NoReverseMatch, reverse
from tua_pay import TuaUsageError

from .conf import CURRENCY, client, option_names, options, verifier

_PIPELINE = "OSCAR_ORDER_STATUS_PIPELINE"


@checks.register()
def check_settings(**_kwargs: Any) -> list[checks.CheckMessage]:
    """The dictionary `TUA`, and what else the plug-in needs."""
    unknown = sorted(set(getattr(settings, "TUA", {})) - option_names())
    if unknown:
        message = f"TUA has unknown keys: {', '.join(unknown)}."
        hint = f"There are {', '.join(sorted(option_names()))}."
        return [checks.Error(message, hint=hint, id="tua_pay_oscar.E001")]
    return [*_check_secrets(), *_check_statuses(), *_check_currency(), *_check_urls()]


@checks.register(deploy=True)
def check_deployment(**_kwargs: Any) -> list[checks.CheckMessage]:
    """With `--deploy`: a test key takes no money, and a live payment needs https."""
    if options().mode == "test":
        message = "TUA['SECRET_KEY'] is a test key: orders are marked as paid, and no money moves."
        return [checks.Warning(message, id="tua_pay_oscar.W002")]
    if settings.SECURE_PROXY_SSL_HEADER is not None:
        return []
    message = "SECURE_PROXY_SSL_HEADER is not set. Behind a proxy, no payment can begin."
    hint = (
        "Tua refuses a return address with http. Behind a proxy that ends TLS, Django needs this "
        "setting to make one with https. Without a proxy, silence this warning."
    )
    return [checks.Warning(message, hint=hint, id="tua_pay_oscar.W003")]


def _check_secrets() -> Iterator[checks.CheckMessage]:
    try:
        with client():
            pass
    except TuaUsageError as error:
        hint = "It is the key SECRET_KEY or BASE_URL of the dictionary TUA."
        yield checks.Error(str(error), hint=hint, id="tua_pay_oscar.E002")
    try:
        verifier()
    except TuaUsageError as error:
        hint = "It is the key WEBHOOK_SECRET of the dictionary TUA."
        yield checks.Error(str(error), hint=hint, id="tua_pay_oscar.E003")


def _check_statuses() -> Iterator[checks.CheckMessage]:
    """An order must be able to go from waiting to paid and to cancelled."""
    read = options()
    pipeline = getattr(settings, _PIPELINE, {})
    following = pipeline.get(read.waiting_status)
    if following is None:
        message = f"{_PIPELINE} has no status {read.waiting_status!r} (TUA['WAITING_STATUS'])."
        yield checks.Error(message, id="tua_pay_oscar.E004")
        return
    for wanted in (read.paid_status, read.cancelled_status):
        if wanted not in following:
            message = f"{_PIPELINE} does not allow {wanted!r} after {read.waiting_status!r}."
            yield checks.Error(message, id="tua_pay_oscar.E004")


def _check_currency() -> Iterator[checks.CheckMessage]:
    currency = getattr(settings, "OSCAR_DEFAULT_CURRENCY", None)
    if currency != CURRENCY:
        message = f"OSCAR_DEFAULT_CURRENCY is {currency!r}. Mobile money pays orders in GHS only."
        yield checks.Warning(message, id="tua_pay_oscar.W001")


def _check_urls() -> Iterator[checks.CheckMessage]:
    try:
        reverse("tua:webhook")
    except NoReverseMatch:
        hint = 'Add path("tua/", include("tua_pay_oscar.urls")) to the URLs of the project.'
        message = "The pages of tua_pay_oscar have no address."
        yield checks.Error(message, hint=hint, id="tua_pay_oscar.E005")
