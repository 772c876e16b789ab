"""The Django app."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db import DEFAULT_DB_ALIAS
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class TuaPayOscarConfig(AppConfig):
    name = "tua_pay_oscar"
    label = "tua_pay_oscar"
    verbose_name = _("Mobile money (Tua)")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Registers the system checks.
        from . import checks  # noqa: F401

        post_migrate.connect(create_types, sender=self)


def create_types(using: str = DEFAULT_DB_ALIAS, **_kwargs: Any) -> None:
    """Creates Oscar's payment event types, which the dashboard offers, and the source type."""
    from . import oscar_types

    oscar_types.create_all(using)
