from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.test import Client
from django.urls import reverse
from pretix.base.models import Order, OrderPayment, Team, User
from pretix.base.payment import PaymentException
from tua_pay import TuaUsageError, TuaWebhookError
from tua_pay.testing import sign_delivery

from tua_pay_pretix.conf import client, read_secret, verifier
from tua_pay_pretix.models import Attempt
from tua_pay_pretix.payment import MobileMoney
from tua_pay_pretix.recording import record
from tua_pay_pretix.vault import encrypt

from .conftest import (
    LIVE_KEY,
    LIVE_SECRET,
    TEST_KEY,
    TEST_SECRET,
    checkout_of,
    create_event,
    create_order,
)

IN_PAGE = SimpleNamespace(session={})
IN_FRAME = SimpleNamespace(session={"iframe_session": True})


def is_offered(order: Any) -> bool:
    return bool(MobileMoney(order.event).order_change_allowed(order))


def test_an_order_in_cedis_is_offered_the_method(order: Any) -> None:
    assert is_offered(order)


def test_another_currency_is_not_offered_the_method_and_refused_with_a_sentence(event: Any) -> None:
    order = create_order(create_event(event.organizer, "euro", currency="EUR"))
    payment = order.payments.create(provider="tua", state="created", amount=order.total)
    provider = MobileMoney(order.event)
    assert not is_offered(order)
    with pytest.raises(PaymentException, match="this event sells in EUR"):
        provider.execute_payment(IN_PAGE, payment)
    assert "this event sells in EUR" in provider.settings_content_render(IN_PAGE)


def test_a_mode_without_a_key_is_not_offered(order: Any) -> None:
    Order.objects.update(testmode=False)
    order.refresh_from_db()
    assert not is_offered(order)
    order.event.settings.payment_tua_secret_key_live = LIVE_KEY
    order.event.settings.payment_tua_base_url = "https://pay.example/v1"
    assert is_offered(order)
    for key in (TEST_KEY, "sk_live_0123456789abcdef"):
        order.event.settings.payment_tua_secret_key_live = key
        assert not is_offered(order)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]"])
def test_an_organiser_reaches_no_private_network(order: Any, settings: Any, address: str) -> None:
    order.event.settings.payment_tua_base_url = f"https://{address}/v1"
    with client(order.event, "test"):
        pass
    settings.ALLOW_HTTP_TO_PRIVATE_NETWORKS = False
    with pytest.raises(TuaUsageError, match="blocked"), client(order.event, "test"):
        pass


def test_an_address_in_a_private_network_is_named_in_the_settings(form: Any, settings: Any) -> None:
    settings.ALLOW_HTTP_TO_PRIVATE_NETWORKS = False
    text = form.save(base_url="https://10.0.0.1/v1")
    assert "Request to private address 10.0.0.1 blocked" in text


def test_an_order_without_an_email_address_is_refused(payment: Any) -> None:
    payment.order.email = None
    with pytest.raises(PaymentException, match="e-mail address"):
        MobileMoney(payment.order.event).execute_payment(IN_PAGE, payment)


def test_the_widget_is_sent_to_a_page_that_may_be_framed(payment: Any, tua: MagicMock) -> None:
    url = MobileMoney(payment.order.event).execute_payment(IN_FRAME, payment)
    assert "/tua/frame/TUA01/" in url
    tua.checkouts.create.assert_not_called()


def test_nobody_is_reminded_of_a_payment_that_is_not_confirmed(payment: Any) -> None:
    provider = MobileMoney(payment.order.event)
    assert not provider.prevent_reminder_mail(payment.order, payment)
    payment.state = OrderPayment.PAYMENT_STATE_PENDING
    assert provider.prevent_reminder_mail(payment.order, payment)


def test_the_email_about_the_order_has_an_address_to_pay_at(payment: Any) -> None:
    text = MobileMoney(payment.order.event).order_pending_mail_render(payment.order, payment)
    assert "http://example.com/adom/summit/tua/pay/TUA01/" in text
    assert payment.order.secret not in text


def test_personal_data_is_deleted_and_the_record_of_money_stays(attempt: Attempt) -> None:
    record(attempt, checkout_of(attempt, "PAID"))
    payment = OrderPayment.objects.get()
    MobileMoney(payment.order.event).shred_payment_info(payment)
    attempt.refresh_from_db()
    assert (attempt.email, attempt.charge_id) == ("", f"txn_{attempt.checkout_id}")


def test_a_test_order_can_be_deleted(attempt: Attempt) -> None:
    attempt.payment.order.gracefully_delete()
    assert Attempt.objects.count() == 0


@pytest.fixture
def form(client: Client, event: Any) -> Any:
    """pretix's page of the settings, as the owner of the event sees it."""
    user = User.objects.create_user("owner@example.com", "a-password-for-tests")
    team = Team.objects.create(
        organizer=event.organizer, all_events=True, all_event_permissions=True
    )
    team.members.add(user)
    client.force_login(user)
    session = client.session
    session["pretix_auth_login_time"] = 4_000_000_000
    session["pretix_auth_long_session"] = True
    session.save()
    names = {"organizer": "adom", "event": "summit", "provider": "tua"}
    path = reverse("control:event.settings.payment.provider", kwargs=names)
    event.settings.payment_tua_base_url = "https://pay.example/v1"
    placeholder = "*****"

    def save(**changes: str) -> str:
        values = {
            "_enabled": "on",
            "base_url": "https://pay.example/v1",
            "secret_key_test": placeholder,
            "webhook_secret_test": placeholder,
            "secret_key_live": "",
            "webhook_secret_live": "",
            "_restrict_to_sales_channels": "web",
            "_availability_start_0": "unset",
            "_availability_date_0": "unset",
        }
        data = {f"payment_tua_{name}": value for name, value in (values | changes).items()}
        return str(client.post(path, data, follow=True).text)

    return SimpleNamespace(save=save, show=lambda: client.get(path).text)


SAVED = "Your changes have been saved"


def test_the_settings_show_the_addresses_of_the_webhooks_and_no_secret(form: Any) -> None:
    text = form.show()
    for mode in ("live", "test"):
        assert f"http://example.com/adom/summit/tua/webhook/{mode}/" in text
    for secret in (TEST_KEY, TEST_SECRET, LIVE_SECRET):
        assert secret not in text


def test_settings_are_saved_and_the_log_has_no_secret(event: Any, form: Any) -> None:
    text = form.save(secret_key_live=LIVE_KEY, webhook_secret_live=LIVE_SECRET)
    assert SAVED in text
    event.settings.flush()
    assert read_secret(event, "secret_key_live") == LIVE_KEY
    assert read_secret(event, "webhook_secret_live") == LIVE_SECRET
    assert read_secret(event, "secret_key_test") == TEST_KEY
    stored = "".join(event.settings._objects.values_list("value", flat=True))
    logged = "".join(event.all_logentries().values_list("data", flat=True))
    for text in (stored, logged):
        assert "encrypted:" in text
        assert LIVE_KEY not in text
        assert LIVE_SECRET not in text


def test_settings_that_are_not_enabled_yet_are_encrypted_too(event: Any, form: Any) -> None:
    assert SAVED in form.save(_enabled="", secret_key_live=LIVE_KEY)
    event.settings.flush()
    assert event.settings.payment_tua_secret_key_live.startswith("encrypted:")


def test_secrets_outlive_a_new_secret_key_of_pretix(event: Any, settings: Any) -> None:
    event.settings.payment_tua_secret_key_test = encrypt(TEST_KEY)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-secret-for-tests"
    assert read_secret(event, "secret_key_test") == TEST_KEY
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(TuaUsageError, match="enter the secrets of mobile money again"):
        read_secret(event, "secret_key_test")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"base_url": "https://pay.example"}, "must end with /v1"),
        ({"secret_key_test": "tua_checkout_abc"}, "no secret key for test payments"),
        ({"secret_key_test": "sk_test_0123456789abcdef"}, "no secret key for test payments"),
        ({"secret_key_test": "tua_test_0123456789abcdef"}, "no secret key for test payments"),
        ({"secret_key_live": "sk_live_0123456789abcdef"}, "no secret key for live payments"),
        ({"secret_key_live": TEST_KEY}, "no secret key for live payments"),
        ({"secret_key_live": LIVE_KEY}, "A webhook needs a secret"),
        ({"webhook_secret_test": "whsec_"}, "A webhook secret is whsec_"),
        ({"secret_key_test": "", "webhook_secret_test": ""}, "At least one secret key"),
    ],
)
def test_a_wrong_setting_is_named(form: Any, changes: dict[str, str], words: str) -> None:
    text = form.save(**changes)
    assert SAVED not in text
    assert words in text


def test_a_secret_is_read_without_spaces_and_not_shown(event: Any) -> None:
    event.settings.payment_tua_secret_key_test = f" {TEST_KEY}\n"
    assert read_secret(event, "secret_key_test") == TEST_KEY
    with client(event, "test") as tua:
        assert TEST_KEY not in repr(tua)


def test_a_webhook_is_verified_with_both_secrets_of_a_rotation(event: Any) -> None:
    event.settings.payment_tua_webhook_secret_test = f" {TEST_SECRET}  {LIVE_SECRET} "
    webhook = verifier(event, "test")
    for secret in (TEST_SECRET, LIVE_SECRET):
        delivery = sign_delivery(secret, "ping")
        assert webhook.verify(delivery.body, delivery.headers).type == "ping"
    delivery = sign_delivery("whsec_" + "C" * 32, "ping")
    with pytest.raises(TuaWebhookError):
        webhook.verify(delivery.body, delivery.headers)


def test_the_amount_is_of_the_payment_and_not_of_the_order(payment: Any, tua: MagicMock) -> None:
    """A gift card has paid the rest."""
    payment.amount = Decimal("8.00")
    payment.save()
    tua.checkouts.create.side_effect = ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        MobileMoney(payment.order.event).execute_payment(IN_PAGE, payment)
    assert tua.checkouts.create.call_args.kwargs["amount"] == Decimal("8.00")
