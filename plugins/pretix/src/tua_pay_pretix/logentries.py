"""What pretix shows of a log entry of this plug-in, and the e-mails that people can ask for."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from pretix.base.logentrytypes import OrderLogEntryType, log_entry_types
from pretix.base.notifications import ParametrizedOrderNotificationType

from .attention import ACTION, describe


@log_entry_types.new()
class AttentionEntry(OrderLogEntryType):
    action_type = ACTION

    def display(self, logentry: Any, data: dict[str, str]) -> str:
        return f"Tua: {describe(data)}"


def attention_notification(event: Any) -> Any:
    """The type of the e-mails about orders that people must look at."""
    return ParametrizedOrderNotificationType(
        event,
        ACTION,
        _("Mobile money payment needs attention"),
        _("The mobile money payment of order {order.code} needs attention. See its log."),
    )
