"""The Django app, and what pretix shows in its list of plug-ins."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from . import VERSION


class TuaPayPretixConfig(AppConfig):
    name = "tua_pay_pretix"
    label = "tua_pay_pretix"
    verbose_name = _("Mobile money (Tua)")
    default_auto_field = "django.db.models.BigAutoField"

    class PretixPluginMeta:
        name = _("Mobile money (Tua)")
        author = "Tua"
        version = VERSION
        category = "PAYMENT"
        description = _("Takes mobile money in Ghana (MTN, Telecel, AirtelTigo) with Tua.")
        visible = True
        compatibility = "pretix>=2026.8"
        settings_links = [
            (
                (_("Payment"), _("Mobile money (Tua)")),
                "control:event.settings.payment.provider",
                {"provider": "tua"},
            ),
        ]

    def ready(self) -> None:
        # Registers the receivers.
        from . import signals  # noqa: F401
