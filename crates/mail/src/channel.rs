//! Messages to alert channels, from the texts of e-mail. They have ids where e-mail has what the
//! merchant wrote: a chat is a service of somebody else, and a reference or the name of a key may
//! name a person.

use super::{alerts::AlertContext, texts::text};
use tua_domain::{
    alert_channel::{ChannelAlert, ChannelMessage, LeasedChannel, MessageKind},
    mail::Alert,
};
use tua_use_cases::ChannelContent;

/// The message with these alerts. `dashboard_url` is the origin of its links.
#[must_use]
pub fn message(
    leased: &LeasedChannel,
    content: &ChannelContent,
    dashboard_url: &str,
) -> ChannelMessage {
    let language = leased.channel.language.primary();
    let alerts: Vec<ChannelAlert> = content
        .alerts
        .iter()
        .map(|one| channel_alert(language, &one.alert, &AlertContext::with_ids(one), dashboard_url))
        .collect();
    let count = content.count.to_string();
    let arguments = [("account", content.account.as_str()), ("count", count.as_str())];
    let key = if content.count == 1 { "channel-title-one" } else { "alerts-subject" };
    let described = u32::try_from(alerts.len()).unwrap_or(u32::MAX);
    let more = content.count.saturating_sub(described);
    let more_text = || text(language, "alerts-more", &[("count", &more.to_string())]);
    ChannelMessage {
        id: leased.message_id.clone(),
        kind: MessageKind::Alerts,
        title: text(language, key, &arguments),
        more: (more > 0).then(more_text),
        alerts,
        count: content.count,
    }
}

fn channel_alert(
    language: &str,
    alert: &Alert,
    context: &AlertContext<'_>,
    dashboard_url: &str,
) -> ChannelAlert {
    let section = context.section(language, dashboard_url);
    ChannelAlert {
        id: alert.id(),
        kind: alert.kind,
        mode: alert.scope.mode,
        occurred_at: alert.occurred_at,
        heading: section.heading,
        text: section.paragraphs.join(" "),
        link: section.link.map(|link| link.address).unwrap_or_default(),
    }
}
