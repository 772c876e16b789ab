//! What the audit log shows of alert channels: nothing with which somebody could write into a chat.

use super::change::change;
use serde_json::{Value, json};
use tua_domain::{
    alert_channel::AlertChannel,
    audit::{Action, AuditChange},
    mail::AlertTopic,
};

fn values(channel: &AlertChannel) -> Value {
    let topics: Vec<&str> = channel.topics.iter().copied().map(AlertTopic::as_str).collect();
    json!({
        "accountId": channel.scope.account.as_str(),
        "mode": channel.scope.mode.as_str(),
        "service": channel.service.as_str(),
        "topics": topics.join(" "),
    })
}

pub(crate) fn added(new: &AlertChannel) -> AuditChange {
    change(Action::ChannelAdded, new.id.as_str(), None, Some(values(new)))
}

pub(crate) fn topics_set(before: &AlertChannel, after: &AlertChannel) -> AuditChange {
    let id = after.id.as_str();
    change(Action::ChannelTopicsSet, id, Some(values(before)), Some(values(after)))
}

pub(crate) fn removed(before: &AlertChannel) -> AuditChange {
    change(Action::ChannelRemoved, before.id.as_str(), Some(values(before)), None)
}
