"""The fields of the payment method in the settings of an event. pretix shows no secret again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from pretix.base.forms import SECRET_REDACTED, SecretKeySettingsField
from tua_pay import Tua, TuaUsageError, Webhook

from .conf import CURRENCY, MODES, Mode, check_address, is_key_of
from .links import webhook_url
from .vault import decrypt, encrypt

_WRONG_KEY = {
    "live": _("This is no secret key for live payments: it begins with tua_live_v2_."),
    "test": _("This is no secret key for test payments: it begins with tua_test_v2_."),
}


class SecretField(SecretKeySettingsField):
    """Encrypts what people enter before anything of pretix stores or logs it."""

    def clean(self, value: Any) -> str:
        cleaned: str = super().clean(value)
        return encrypt(cleaned) if cleaned and cleaned != SECRET_REDACTED else cleaned


def fields() -> OrderedDict[str, Any]:
    """The fields, by the names of the settings."""
    return OrderedDict(
        base_url=forms.CharField(
            label=_("API address of Tua"),
            help_text=_("Such as https://pay.example/v1."),
        ),
        secret_key_live=SecretField(
            label=_("Secret key, live"),
            help_text=_("For events that are not in test mode: tua_live_v2_…"),
            required=False,
        ),
        webhook_secret_live=SecretField(
            label=_("Webhook secret, live"),
            help_text=_("whsec_…; while it is rotated, the new and the old one with a space."),
            required=False,
        ),
        secret_key_test=SecretField(
            label=_("Secret key, test"),
            help_text=_("For events in test mode: tua_test_v2_…"),
            required=False,
        ),
        webhook_secret_test=SecretField(
            label=_("Webhook secret, test"),
            help_text=_("whsec_…"),
            required=False,
        ),
    )


def clean(stored: Any, data: dict[str, Any]) -> dict[str, Any]:
    """Refuses settings with which no payment could begin. `stored` are those of before, which stand
    where the form has pretix's placeholder of a secret. Raises ValidationError by field."""
    prefix = stored.get_prefix()

    def read(name: str) -> str:
        value = data.get(prefix + name) or ""
        return decrypt(str(stored.get(name) or "") if value == SECRET_REDACTED else value)

    faults: dict[str, list[Any]] = {}
    try:
        _check(read, faults)
    except TuaUsageError as error:
        faults["secret_key_live"] = [str(error)]
    if faults:
        raise ValidationError({prefix + name: found for name, found in faults.items()})
    return data


def _check(read: Any, faults: dict[str, list[Any]]) -> None:
    base_url = read("base_url")
    for mode in MODES:
        _check_mode(mode, read, base_url, faults)
    if not any(read(f"secret_key_{mode}") for mode in MODES):
        faults.setdefault("secret_key_live", []).append(_("At least one secret key is needed."))


def _check_mode(mode: Mode, read: Any, base_url: str, faults: dict[str, list[Any]]) -> None:
    key = read(f"secret_key_{mode}")
    if not key:
        return
    if not is_key_of(mode, key):
        faults.setdefault(f"secret_key_{mode}", []).append(_WRONG_KEY[mode])
        return
    try:
        check_address(base_url)
        Tua(secret_key=key, base_url=base_url).close()
    except TuaUsageError as error:
        faults.setdefault("base_url", []).append(str(error))
    try:
        Webhook(read(f"webhook_secret_{mode}").split())
    except TuaUsageError as error:
        faults.setdefault(f"webhook_secret_{mode}", []).append(str(error))


def render_help(event: Any) -> str:
    """What people of the shop read below the form."""
    context = {
        "addresses": [(mode, webhook_url(event, mode)) for mode in MODES],
        "currency": event.currency,
        "is_other_currency": event.currency != CURRENCY,
    }
    return render_to_string("tua_pay_pretix/settings.html", context)
