"""`manage.py tua_reconcile`, for cron: once a minute."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone, translation

from ...reconcile import reconcile


class Command(BaseCommand):
    help = (
        "Asks Tua about the mobile money payments and refunds whose outcome is not known, and "
        "cancels orders that nobody paid in time. Run it once a minute."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(settings.LANGUAGE_CODE):
            report = reconcile(timezone.now())
        if options["verbosity"] > 0:
            self.stdout.write(
                f"{report.payments} payments and {report.refunds} refunds asked about, "
                f"{report.cancelled} orders cancelled"
            )
        if report.faults:
            raise CommandError(f"{report.faults} could not be asked about; the log says why.")
