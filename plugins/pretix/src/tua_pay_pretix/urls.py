"""The addresses below those of an event."""

from __future__ import annotations

from pretix.multidomain import event_url

from . import views

_PAYMENT = r"(?P<order>[^/]+)/(?P<hash>[^/]+)/(?P<payment>[0-9]+)/"

# A payment may arrive after the shop was taken offline.
event_patterns = [
    event_url(r"^tua/webhook/(?P<mode>live|test)/$", views.webhook, "webhook", require_live=False),
    event_url(rf"^tua/pay/{_PAYMENT}$", views.pay, "pay"),
    event_url(rf"^tua/frame/{_PAYMENT}$", views.frame, "frame"),
    event_url(rf"^tua/return/{_PAYMENT}$", views.come_back, "return", require_live=False),
]
