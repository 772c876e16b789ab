//! Composes the messages of the outbox: renders what they are about in the recipient's language.

use super::{
    alerts,
    messages::{self, Content},
    receipts, reports, security,
};
use jiff::Timestamp;
use tua_domain::{
    language::LanguageTag,
    mail::{Message, QueuedMail},
    people::User,
    ports::StoreError,
};
use tua_use_cases::{LinkMail, MailContent, MailContents, ReceiptMail, UnsentMail};

/// Composes queued messages from what is known at the time when they are sent.
#[derive(Clone, Debug)]
pub struct Composer {
    /// Reads what messages are about.
    pub contents: MailContents,
    /// The origin of logos.
    pub public_url: String,
    /// The origin of links to the dashboard.
    pub dashboard_url: String,
}

/// A message of the outbox when it is to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Composed {
    /// The message, which is to be sent now.
    Ready(Message),
    /// Nobody needs it any more, for this reason.
    Moot(&'static str),
    /// It cannot be sent any more although somebody may need it, for this reason.
    Lost(&'static str),
}

impl Composer {
    /// Composes a message.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn compose(&self, mail: &QueuedMail, now: Timestamp) -> Result<Composed, StoreError> {
        match self.contents.read(mail, now).await {
            Ok(content) => Ok(self.render(mail, content)),
            Err(UnsentMail::Moot(reason)) => Ok(Composed::Moot(reason)),
            Err(UnsentMail::Lost(reason)) => Ok(Composed::Lost(reason)),
            Err(UnsentMail::Store(error)) => Err(error),
        }
    }

    fn render(&self, mail: &QueuedMail, content: MailContent) -> Composed {
        match content {
            MailContent::Link(LinkMail { user, path, invited_to }) => {
                let link = format!("{}{path}", self.dashboard_url);
                let language = language_of(mail, &user);
                let content = match invited_to {
                    Some(account) => messages::invitation(&language, &account, link),
                    None => messages::reset(&language, link),
                };
                ready(mail, user.email.as_str(), content)
            }
            MailContent::Alerts(alerts) => {
                let language = language_of(mail, &alerts.user);
                let content = alerts::content(&language, &alerts, &self.dashboard_url);
                ready(mail, alerts.user.email.as_str(), content)
            }
            MailContent::Notice(notice) => {
                let context = security::NoticeContext {
                    notice: &notice.notice,
                    at: mail.occurred_at,
                    account: notice.account.as_ref(),
                    name: notice.name.clone(),
                    is_own: notice.is_own,
                };
                let language = language_of(mail, &notice.user);
                let content = context.content(&language, &self.dashboard_url);
                ready(mail, notice.user.email.as_str(), content)
            }
            MailContent::Report(report) => {
                let language = language_of(mail, &report.user);
                let content = reports::content(&language, &report, &self.dashboard_url);
                ready(mail, report.user.email.as_str(), content)
            }
            MailContent::Receipt(receipt) => {
                let language = mail.language.as_ref().map_or("en", LanguageTag::primary);
                let ReceiptMail { email, account, transaction } = &*receipt;
                let content = receipts::content(
                    language,
                    account,
                    transaction,
                    mail.occurred_at,
                    &self.public_url,
                );
                ready(mail, email, content)
            }
        }
    }
}

fn ready(mail: &QueuedMail, to: &str, content: Content) -> Composed {
    Composed::Ready(Message { id: Some(mail.id.as_str().to_owned()), ..content.render(to) })
}

/// The person's language, else that of the message, else English.
fn language_of(mail: &QueuedMail, user: &User) -> String {
    let found = user.language.as_ref().or(mail.language.as_ref());
    found.map_or("en", LanguageTag::primary).to_owned()
}
