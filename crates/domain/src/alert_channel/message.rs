//! What is sent to a channel.

use crate::{Mode, mail::AlertKind};
use jiff::Timestamp;

/// What a message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageKind {
    /// It has alerts.
    Alerts,
    /// A person tries whether it arrives.
    Test,
}

/// A message to a channel, in the channel's language. It has no personal data of payers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelMessage {
    /// Names the message.
    pub id: String,
    /// Whether it has alerts, or is a test.
    pub kind: MessageKind,
    /// The account and what the message is about, in one line.
    pub title: String,
    /// The most urgent alerts.
    pub alerts: Vec<ChannelAlert>,
    /// How many alerts there are in all.
    pub count: u32,
    /// A line about the alerts that are not described; `None` if all are.
    pub more: Option<String>,
}

/// One alert of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelAlert {
    /// Names the alert: the same when it is sent again.
    pub id: String,
    /// The kind of event that it reports.
    pub kind: AlertKind,
    /// The mode of what happened.
    pub mode: Mode,
    /// When the reported event happened.
    pub occurred_at: Timestamp,
    /// What happened, in one line.
    pub heading: String,
    /// Whether money moved, and what to do.
    pub text: String,
    /// The page of the dashboard.
    pub link: String,
}

impl ChannelMessage {
    /// A test, with this text.
    #[must_use]
    pub fn test(id: String, title: String) -> Self {
        let kind = MessageKind::Test;
        Self { id, kind, title, alerts: Vec::new(), count: 0, more: None }
    }

    /// The paragraphs of the message as plain text, each with its link.
    #[must_use]
    pub fn paragraphs(&self) -> Vec<String> {
        let alerts = self.alerts.iter();
        let alerts = alerts.map(|one| format!("{}\n{}\n{}", one.heading, one.text, one.link));
        std::iter::once(self.title.clone()).chain(alerts).chain(self.more.clone()).collect()
    }
}
