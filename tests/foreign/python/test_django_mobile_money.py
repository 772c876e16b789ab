"""django-mobile-money."""

import django
import pytest
from conftest import NUMBER, POOR_NUMBER, eventually
from django.conf import settings


@pytest.fixture(scope="module")
def backend(mtn):
    product = mtn["collection"]
    settings.configure(
        MOBILE_MONEY={
            "MTN_MOMO": {
                "SUBSCRIPTION_KEY": product["subscription-key"],
                "API_USER": product["user"],
                "API_KEY": product["key"],
                "ENVIRONMENT": "mtnghana",
            }
        },
        INSTALLED_APPS=["django_mobile_money"],
    )
    django.setup()
    from django_mobile_money.backends import MTNMoMoBackend

    backend = MTNMoMoBackend()
    backend.base_url = mtn["base-url"]
    return backend


def test_a_payment_is_asked_for_and_verified(backend):
    begun = backend.initiate_payment(NUMBER, "12.50", "GHS", "order-1", description="Order 1")
    assert begun["status"] == "pending"
    transaction = begun["transaction_id"]
    paid = eventually(lambda: backend.verify_payment(transaction), lambda read: read["status"] != "pending")
    assert paid["status"] == "success" and paid["provider_reference"]
    assert paid["raw_response"]["externalId"] == "order-1"


def test_a_payment_fails(backend):
    transaction = backend.initiate_payment(f"+{POOR_NUMBER}", "1", "GHS")["transaction_id"]
    failed = eventually(lambda: backend.verify_payment(transaction), lambda read: read["status"] != "pending")
    assert failed["status"] == "failed" and "NOT_ENOUGH_FUNDS" in str(failed["message"])


def test_a_mistake_is_an_error_with_the_operators_text(backend):
    from django_mobile_money.exceptions import MobileMoneyError

    with pytest.raises(MobileMoneyError, match="BAD_REQUEST"):
        backend.initiate_payment("12", "1", "GHS")
