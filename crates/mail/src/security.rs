//! Security notices: what happened, when, by whom and from where, and what to do if it was somebody
//! else.

use super::{
    messages::{Content, Link},
    texts::text,
};
use jiff::{Timestamp, tz::TimeZone};
use tua_domain::{
    Account, Mode,
    mail::{SecurityEvent, SecurityNotice},
    routing::written_operator_name,
};

/// A notice with the values of the placeholders in its texts.
pub(super) struct NoticeContext<'a> {
    pub(super) notice: &'a SecurityNotice,
    pub(super) at: Timestamp,
    /// The account of a role or a key.
    pub(super) account: Option<&'a Account>,
    /// The name of a key, or the host of a webhook endpoint.
    pub(super) name: Option<String>,
    /// Whether it is about the recipient.
    pub(super) is_own: bool,
}

impl NoticeContext<'_> {
    /// The content in this language, with a link to the page on which the change can be undone.
    pub(super) fn content(&self, language: &str, dashboard_url: &str) -> Content {
        let SecurityNotice { event, actor, device, subject, role, mode } = self.notice;
        let kind = event.as_str().to_ascii_lowercase().replace('_', "-");
        let account = self.account.map_or("", |account| account.name.as_str());
        let name = self.name.as_deref().unwrap_or(subject);
        let mode = mode
            .map(|mode| text(language, &format!("notice-mode-{}", mode.as_str()), &[]))
            .unwrap_or_default();
        let role = if role.is_empty() {
            String::new()
        } else {
            text(language, &format!("role-{role}"), &[])
        };
        let arguments = [
            ("person", subject.as_str()),
            ("role", role.as_str()),
            ("account", account),
            ("key", name),
            ("host", name),
            ("change", subject.as_str()),
            ("operator", written_operator_name(subject)),
            ("mode", mode.as_str()),
        ];
        let of_kind = |part: &str| text(language, &format!("notice-{kind}-{part}"), &arguments);
        let label = |name: &str| text(language, &format!("notice-{name}"), &[]);
        let at = self.at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M Ghana time (GMT)");
        let mut rows = vec![(label("at"), at.to_string())];
        rows.push((label("by"), actor.clone()));
        if !device.is_empty() {
            rows.push((label("device"), device.clone()));
        }
        let footer = if event.is_of_account() && !self.is_own {
            "not-expected-owner"
        } else {
            "not-expected"
        };
        Content {
            paragraphs: vec![of_kind("what")],
            rows,
            link: Some(Link {
                label: label("link"),
                address: format!("{dashboard_url}{}", self.page()),
            }),
            footer: Some(label(footer)),
            ..Content::new(language, of_kind("subject"))
        }
    }

    /// The page on which it can be undone.
    fn page(&self) -> String {
        let page = match self.notice.event {
            SecurityEvent::RoleSet | SecurityEvent::RoleRemoved if !self.is_own => "people",
            SecurityEvent::LiveKeyMade => "keys",
            event if event.is_of_limits() => "settings",
            event if event.is_of_webhooks() => "webhooks",
            event if event.is_of_channels() => "alerts",
            event if event.is_of_operators() => "operators",
            event if event.is_of_mail_server() => "settings/mail",
            _ => return "/dashboard/security".to_owned(),
        };
        let mode = self.notice.mode.unwrap_or(Mode::Live).as_str();
        let account = self.account.map(|account| format!("/accounts/{}/{mode}/{page}", account.id));
        format!("/dashboard{}", account.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_domain::AccountId;

    #[test]
    fn every_notice_has_all_texts_and_a_page_in_both_languages() {
        let account = Account {
            id: AccountId::new("acc_1"),
            ..Account::new("<b>Adom</b>".to_owned(), Timestamp::UNIX_EPOCH)
        };
        for event in SecurityEvent::ALL {
            for (language, is_own) in [("en", true), ("fr", false)] {
                let subject = if event.is_of_account() { "kofi@example.com" } else { "" };
                let has_mode = event.is_of_limits()
                    || event.is_of_webhooks()
                    || event.is_of_channels()
                    || event.is_of_operators()
                    || event.is_of_mail_server();
                let notice = SecurityNotice {
                    event: *event,
                    actor: "esi@example.com (127.0.0.1)".to_owned(),
                    device: "Firefox, Linux".to_owned(),
                    subject: subject.to_owned(),
                    role: "finance".to_owned(),
                    mode: has_mode.then_some(Mode::Live),
                };
                let at = Timestamp::UNIX_EPOCH;
                let context = NoticeContext {
                    notice: &notice,
                    at,
                    account: Some(&account),
                    name: None,
                    is_own,
                };
                let message =
                    context.content(language, "https://pay.example").render("kofi@example.com");
                for part in [
                    "1970-01-01 00:00 Ghana time (GMT)",
                    "esi@example.com (127.0.0.1)",
                    "Firefox, Linux",
                    "/dashboard/",
                ] {
                    assert!(message.text.contains(part), "{part}: {message:?}");
                }
                assert!(
                    !message.text.contains("notice-") && !message.text.contains("role-"),
                    "{message:?}"
                );
                assert!(!message.html.contains("<b>Adom"), "{message:?}");
                assert_eq!(
                    message.text.contains("/acc_1/live/"),
                    notice.mode.is_some()
                        || *event == SecurityEvent::LiveKeyMade
                        || event.is_of_account() && !is_own,
                    "{message:?}"
                );
            }
        }
    }
}
