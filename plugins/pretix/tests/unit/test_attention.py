from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from pretix.base.models import NotificationSetting, Team, User
from pretix.base.notifications import get_all_notification_types

from tua_pay_pretix.attention import ACTION, flag, flag_once

from .conftest import flags_of

TOLD = {"amount": "18.00", "charge": "txn_1"}


@pytest.fixture
def owner(event: Any) -> Any:
    user = User.objects.create_user("owner@example.com", "a-password-for-tests")
    team = Team.objects.create(
        organizer=event.organizer, all_events=True, all_event_permissions=True
    )
    team.members.add(user)
    return user


def test_people_can_ask_for_an_email(
    order: Any, owner: Any, django_capture_on_commit_callbacks: Any
) -> None:
    assert ACTION in get_all_notification_types(order.event)
    settings = {"event": order.event, "action_type": ACTION, "method": "mail", "enabled": True}
    NotificationSetting.objects.create(user=owner, **settings)
    with django_capture_on_commit_callbacks(execute=True):
        flag(order, "arrived_twice", **TOLD)
    [sent] = mail.outbox
    assert sent.to == ["owner@example.com"]
    assert "The mobile money payment of order TUA01 needs attention" in sent.body


def test_nobody_who_has_not_asked_for_an_email_gets_one(
    order: Any, owner: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        flag(order, "arrived_twice", **TOLD)
    assert mail.outbox == []


def test_the_follow_up_date_of_people_stays(order: Any) -> None:
    flag(order, "arrived_twice", **TOLD)
    order.refresh_from_db()
    first = order.custom_followup_at
    assert first is not None
    type(order).objects.update(custom_followup_at="2027-01-31")
    order.refresh_from_db()
    flag(order, "arrived_twice", **TOLD)
    order.refresh_from_db()
    assert str(order.custom_followup_at) == "2027-01-31"


def test_what_people_were_told_is_not_told_again(order: Any) -> None:
    flag_once(order, "conflict", charge="txn_1")
    flag_once(order, "conflict", charge="txn_1")
    flag_once(order, "conflict", charge="txn_2")
    assert len(flags_of(order)) == 2
