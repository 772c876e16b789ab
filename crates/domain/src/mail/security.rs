//! Security notices: e-mail to a person about changes of their own access, and to the owners about
//! roles, live keys, limits, webhook endpoints, chats for alerts, connected operators and the mail
//! server.

use super::{MailKind, QueuedMail, outbox::NEWS_LIFETIME};
use crate::{
    AccountId, Mode, Scope, UserId,
    audit::{AuditContext, actor_name},
    people::{Device, Session},
    string_enum,
};
use jiff::Timestamp;

string_enum! {
    /// A change that people are notified of: of access, roles, keys, limits, webhooks, channels,
    /// connected operators or the mail server of an account.
    pub enum SecurityEvent {
        /// The person signed in with a browser that has not been used before.
        NewBrowser = "NEW_BROWSER",
        /// The person set a password and codes with a link. Passkeys and sessions were removed.
        Enrolled = "ENROLLED",
        /// The password was changed.
        PasswordChanged = "PASSWORD_CHANGED",
        /// A passkey was added.
        PasskeyAdded = "PASSKEY_ADDED",
        /// A passkey was removed.
        PasskeyRemoved = "PASSKEY_REMOVED",
        /// An account at a sign-in provider was linked.
        ProviderLinked = "PROVIDER_LINKED",
        /// The link to an account at a sign-in provider was removed.
        ProviderRemoved = "PROVIDER_REMOVED",
        /// The recovery codes were replaced.
        RecoveryCodesReplaced = "RECOVERY_CODES_REPLACED",
        /// A recovery code was used.
        RecoveryCodeUsed = "RECOVERY_CODE_USED",
        /// A person got a role, or another one.
        RoleSet = "ROLE_SET",
        /// A person was removed from an account.
        RoleRemoved = "ROLE_REMOVED",
        /// A live key was made.
        LiveKeyMade = "LIVE_KEY_MADE",
        /// Limits of payouts or refunds were changed.
        LimitsChanged = "LIMITS_CHANGED",
        /// A person asked to lift limits, which waits for a second person.
        LiftRequested = "LIFT_REQUESTED",
        /// A second person refused to lift limits.
        LiftRefused = "LIFT_REFUSED",
        /// A webhook endpoint was added.
        WebhookAdded = "WEBHOOK_ADDED",
        /// A webhook endpoint got a new secret.
        WebhookRotated = "WEBHOOK_ROTATED",
        /// A webhook endpoint was enabled.
        WebhookEnabled = "WEBHOOK_ENABLED",
        /// A webhook endpoint was disabled by somebody.
        WebhookDisabled = "WEBHOOK_DISABLED",
        /// A webhook endpoint was removed.
        WebhookRemoved = "WEBHOOK_REMOVED",
        /// A chat or a server was added, to which alerts are sent.
        ChannelAdded = "CHANNEL_ADDED",
        /// A chat or a server was removed, to which alerts were sent.
        ChannelRemoved = "CHANNEL_REMOVED",
        /// An operator was connected in the dashboard. It serves nothing before its check.
        OperatorConnected = "OPERATOR_CONNECTED",
        /// Other credentials of a connected operator were stored, which wait for their check.
        OperatorReplaced = "OPERATOR_REPLACED",
        /// A connected operator serves other networks or directions.
        OperatorRouted = "OPERATOR_ROUTED",
        /// A connected operator was removed.
        OperatorRetired = "OPERATOR_RETIRED",
        /// E-mail of the account goes through this mail server from now on.
        MailServerSet = "MAIL_SERVER_SET",
        /// E-mail of the account goes through the same mail server with other settings.
        MailServerChanged = "MAIL_SERVER_CHANGED",
        /// E-mail of the account does not go through this mail server any more.
        MailServerLeft = "MAIL_SERVER_LEFT",
    }
}

impl SecurityEvent {
    /// Whether it is about an account, so that the owners of the account get the notice.
    #[must_use]
    pub const fn is_of_account(self) -> bool {
        matches!(self, Self::RoleSet | Self::RoleRemoved | Self::LiveKeyMade)
            || self.is_of_limits()
            || self.is_of_webhooks()
            || self.is_of_channels()
            || self.is_of_operators()
            || self.is_of_mail_server()
    }

    /// Whether it is about a chat or a server to which alerts are sent.
    #[must_use]
    pub const fn is_of_channels(self) -> bool {
        matches!(self, Self::ChannelAdded | Self::ChannelRemoved)
    }

    /// Whether it is about the mail server of an account.
    #[must_use]
    pub const fn is_of_mail_server(self) -> bool {
        matches!(self, Self::MailServerSet | Self::MailServerChanged | Self::MailServerLeft)
    }

    /// Whether it is about an operator that people connected.
    #[must_use]
    pub const fn is_of_operators(self) -> bool {
        matches!(
            self,
            Self::OperatorConnected
                | Self::OperatorReplaced
                | Self::OperatorRouted
                | Self::OperatorRetired
        )
    }

    /// Whether it is about limits of payouts and refunds.
    #[must_use]
    pub const fn is_of_limits(self) -> bool {
        matches!(self, Self::LimitsChanged | Self::LiftRequested | Self::LiftRefused)
    }

    /// Whether it is about a webhook endpoint.
    #[must_use]
    pub const fn is_of_webhooks(self) -> bool {
        matches!(
            self,
            Self::WebhookAdded
                | Self::WebhookRotated
                | Self::WebhookEnabled
                | Self::WebhookDisabled
                | Self::WebhookRemoved
        )
    }
}

/// A security notice. The outbox keeps it as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SecurityNotice {
    /// The change that the notice reports.
    pub event: SecurityEvent,
    /// Who did it, and from where, as the audit log has it.
    pub actor: String,
    /// Browser and system, where it was done in the dashboard.
    pub device: String,
    /// The address of the person whose role it is, the id of the key or endpoint, what a channel is
    /// recognised by, name and connector of an operator, a mail server, or what became of the
    /// limits. Empty for the recipient's own access.
    pub subject: String,
    /// The role; empty for none.
    pub role: String,
    /// The mode of limits, endpoints and channels; live mode of operators and mail servers.
    pub mode: Option<Mode>,
}

impl SecurityNotice {
    /// A notice about what `by` does.
    #[must_use]
    pub fn new(event: SecurityEvent, by: &AuditContext) -> Self {
        let device = by.device.clone().unwrap_or_default();
        Self {
            event,
            actor: by.actor.clone(),
            device,
            subject: String::new(),
            role: String::new(),
            mode: None,
        }
    }

    /// A notice about something of this account and mode, such as an endpoint: `subject` names it.
    #[must_use]
    pub fn about(event: SecurityEvent, scope: &Scope, subject: &str, by: &AuditContext) -> Self {
        Self { subject: subject.to_owned(), mode: Some(scope.mode), ..Self::new(event, by) }
    }

    /// Its text in the outbox: one line for each field.
    #[must_use]
    pub fn to_detail(&self) -> String {
        let line = |text: &str| text.replace(char::is_control, " ");
        let mode = self.mode.map_or("", Mode::as_str);
        let fields = [&self.actor, &self.device, &self.subject, &self.role, mode].map(line);
        format!("{}\n{}", self.event.as_str(), fields.join("\n"))
    }

    /// Reads such a text; `None` for any other.
    #[must_use]
    pub fn from_detail(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.split('\n').collect();
        let [event, actor, device, subject, role, mode] = lines.as_slice() else { return None };
        let [actor, device, subject, role] =
            [actor, device, subject, role].map(|line| (*line).to_owned());
        Some(Self {
            event: SecurityEvent::parse(event)?,
            actor,
            device,
            subject,
            role,
            mode: Mode::parse(mode),
        })
    }

    /// The message about a sign-in with a new browser.
    #[must_use]
    pub fn of_sign_in(session: &Session, device: &Device) -> QueuedMail {
        let notice = Self {
            event: SecurityEvent::NewBrowser,
            actor: actor_name(session.user.email.as_str(), device.address),
            device: device.name.clone(),
            subject: String::new(),
            role: String::new(),
            mode: None,
        };
        notice.to(session.user.id.clone(), None, session.created_at)
    }

    /// The message to this person. `account` is that of a role or a key.
    #[must_use]
    pub fn to(&self, user: UserId, account: Option<&AccountId>, at: Timestamp) -> QueuedMail {
        QueuedMail {
            account: account.cloned(),
            user: Some(user),
            detail: Some(self.to_detail()),
            expires_at: Some(at + NEWS_LIFETIME),
            ..QueuedMail::new(MailKind::Security, at)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_survives_the_outbox_and_a_line_break_adds_no_field() {
        for event in SecurityEvent::ALL {
            let notice = SecurityNotice {
                event: *event,
                actor: "esi@example.com (127.0.0.1)".to_owned(),
                device: String::new(),
                subject: "kofi@example.com".to_owned(),
                role: "finance".to_owned(),
                mode: event.is_of_limits().then_some(Mode::Test),
            };
            assert_eq!(SecurityNotice::from_detail(&notice.to_detail()), Some(notice.clone()));
            let split = SecurityNotice { actor: "esi\nROLE_SET".to_owned(), ..notice };
            let read = SecurityNotice::from_detail(&split.to_detail()).unwrap();
            assert_eq!(read, SecurityNotice { actor: "esi ROLE_SET".to_owned(), ..split });
        }
        assert_eq!(SecurityNotice::from_detail("NEW_BROWSER"), None);
    }
}
