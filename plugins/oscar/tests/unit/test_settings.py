from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.views.debug import SafeExceptionReporterFilter

from tua_pay_oscar.checks import check_deployment, check_settings
from tua_pay_oscar.conf import Options, options

KEY = "tua_live_v2_0123456789abcdef"
SECRET = "whsec_" + "B" * 32


def faults(settings: Any, **changes: Any) -> list[tuple[str, str]]:
    settings.TUA = django_settings.TUA | changes
    return [(fault.id, fault.msg) for fault in check_settings()]


def test_the_settings_of_the_test_shop_have_no_fault(settings: Any) -> None:
    assert faults(settings) == []


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"SECRET_KEY": ""}, "E002", "is not a secret key of Tua"),
        ({"SECRET_KEY": "tua_checkout_abc"}, "E002", "for the payer's browser"),
        ({"SECRET_KEY": KEY, "BASE_URL": "http://pay.example/v1"}, "E002", "over https only"),
        ({"BASE_URL": "https://pay.example"}, "E002", "must end with /v1"),
        ({"WEBHOOK_SECRET": ""}, "E003", "A webhook secret is whsec_"),
        ({"WEBHOOK_SECRET": []}, "E003", "needs a secret"),
        ({"SECRET": KEY}, "E001", "unknown keys: SECRET"),
        ({"WAITING_STATUS": "On hold"}, "E004", "has no status 'On hold'"),
        ({"PAID_STATUS": "Paid"}, "E004", "does not allow 'Paid'"),
    ],
)
def test_a_wrong_setting_is_named_without_a_secret(
    settings: Any, changes: dict[str, Any], code: str, words: str
) -> None:
    [(found, message)] = faults(settings, **changes)
    assert found == f"tua_pay_oscar.{code}"
    assert words in message
    assert KEY not in message


def test_another_currency_is_a_warning(settings: Any) -> None:
    settings.OSCAR_DEFAULT_CURRENCY = "GBP"
    [(code, message)] = faults(settings)
    assert code == "tua_pay_oscar.W001"
    assert "'GBP'" in message


def test_pages_without_an_address_are_an_error(settings: Any) -> None:
    settings.ROOT_URLCONF = "django.contrib.flatpages.urls"
    assert [code for code, _ in faults(settings)] == ["tua_pay_oscar.E005"]


def test_a_test_key_is_a_warning_of_deployment_and_a_live_key_is_none(settings: Any) -> None:
    assert [fault.id for fault in check_deployment()] == ["tua_pay_oscar.W002"]
    settings.TUA = django_settings.TUA | {"SECRET_KEY": KEY}
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert check_deployment() == []


def test_a_live_shop_that_may_not_know_of_https_is_a_warning(settings: Any) -> None:
    settings.TUA = django_settings.TUA | {"SECRET_KEY": KEY}
    assert [fault.id for fault in check_deployment()] == ["tua_pay_oscar.W003"]


def test_the_key_decides_the_mode_and_is_not_shown() -> None:
    read = Options(secret_key=KEY, webhook_secret=SECRET)
    assert (read.mode, Options(secret_key="tua_test_v2_x").mode) == ("live", "test")
    assert KEY not in repr(read)
    assert SECRET not in repr(read)


def test_a_page_about_an_error_shows_no_secret() -> None:
    shown = repr(SafeExceptionReporterFilter().get_safe_settings()["TUA"])
    for name in ("SECRET_KEY", "WEBHOOK_SECRET"):
        assert django_settings.TUA[name] not in shown


def test_cancelling_can_be_switched_off(settings: Any) -> None:
    assert options().cancel_unpaid_after == timedelta(hours=24)
    settings.TUA = django_settings.TUA | {"CANCEL_UNPAID_AFTER_HOURS": None}
    assert options().cancel_unpaid_after is None
