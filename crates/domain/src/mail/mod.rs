//! E-mail: what is sent, why a server did not take it, and the outbox (docs/reference/mail.md).

mod alert;
mod invitation;
mod outbox;
mod report;
mod security;
mod topic;

pub use alert::{Alert, AlertDigest, AlertKind, DIGEST_INTERVAL, GATHERED_FOR};
pub use invitation::link_of;
pub use outbox::{
    INVITATION_SECRET, MailFilter, MailKind, MailLease, MailOutcome, MailShare, MailStatus,
    NEWS_LIFETIME, QueuedMail,
};
pub use report::ReportInterval;
pub use security::{SecurityEvent, SecurityNotice};
pub use topic::{AlertChoices, AlertTopic};

/// An e-mail to one person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// What its Message-ID begins with: the same for every attempt. `None` for a message that is
    /// sent once.
    pub id: Option<String>,
    /// The address of the person.
    pub to: String,
    /// The subject line as plain text, in the recipient's language.
    pub subject: String,
    /// The body as plain text.
    pub text: String,
    /// The body as HTML, with the same contents.
    pub html: String,
}

/// Why a message was not sent. The reason contains no recipient's address.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MailFault {
    /// The server refused it for good (a 5xx reply), or the address is not valid.
    #[error("refused: {0}")]
    Refused(String),
    /// The server refused user and password. The fault is not one of the message.
    #[error("the server refused to sign in: {0}")]
    SignInRefused(String),
    /// The server did not take it now (a 4xx reply), or the connection failed.
    #[error("not taken now: {0}")]
    NotTaken(String),
}
