"""Puts tickets into the test shop: an event in cedis with a ticket for 18 cedis and a free one, one
in euros, and a person of the shop."""

import os
from datetime import timedelta
from decimal import Decimal

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
django.setup()

from django.utils.timezone import now  # noqa: E402
from django_scopes import scopes_disabled  # noqa: E402
from pretix.base.models import Event, Organizer, Team, User  # noqa: E402

from tua_pay_pretix.vault import encrypt  # noqa: E402

PASSWORD = "a-password-for-tests"


def create_event(organizer, slug, currency, prices):
    event = Event.objects.create(
        organizer=organizer,
        name=f"Summit ({currency})",
        slug=slug,
        currency=currency,
        date_from=now() + timedelta(days=60),
        plugins="tua_pay_pretix",
        live=True,
        testmode=True,
    )
    event.settings.timezone = "Africa/Accra"
    event.settings.locales = ["en", "fr"]
    event.settings.payment_tua__enabled = True
    event.settings.payment_tua_base_url = os.environ["TUA_BASE_URL"]
    event.settings.payment_tua_secret_key_test = encrypt(os.environ["TUA_SECRET_KEY"])
    event.settings.payment_tua_webhook_secret_test = encrypt(os.environ["TUA_WEBHOOK_SECRET"])
    for name, price in prices.items():
        item = event.items.create(name=name, default_price=Decimal(price))
        quota = event.quotas.create(name=name, size=1000)
        quota.items.add(item)
    return event


with scopes_disabled():
    adom = Organizer.objects.create(name="Adom", slug="adom")
    create_event(adom, "summit", "GHS", {"Ticket": "18.00", "Free entry": "0.00"})
    create_event(adom, "euro", "EUR", {"Ticket": "2.00"})
    owner = User.objects.create_user("owner@example.com", PASSWORD)
    team = Team.objects.create(
        organizer=adom, name="Owners", all_events=True, all_event_permissions=True
    )
    team.members.add(owner)
