//! Reads what the messages of the outbox are about at the time when they are sent, and decides
//! which of them are still sent.

mod account_reports;
mod alert_subjects;
mod content;

use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_contract::Status;
use tua_domain::{
    Account, AccountId,
    key_ring::KeyRing,
    mail::{
        INVITATION_SECRET, MailKind, QueuedMail, ReportInterval, SecurityEvent, SecurityNotice,
    },
    people::{Role, User},
    ports::{Accounts, Identities, MailOutbox, People, StoreError, Transactions},
    privacy::ERASED_EMAIL,
};

pub use account_reports::AccountReports;
pub use alert_subjects::AlertSubjects;
pub use content::{
    AccountReport, AlertDetails, AlertMail, AlertSubject, LinkMail, MailContent, NoticeMail,
    ReceiptMail, ReportMail, UnsentMail,
};

/// For how long after a sign-in with a provider its person gets reports: providers do not say who
/// has left.
const PROVIDER_TRUSTED_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The number of alerts that one message describes; of the others it has the number.
pub const MAX_ALERTS_IN_MESSAGE: u32 = 20;

/// Reads what messages are about.
#[derive(Clone, Debug)]
pub struct MailContents {
    /// Reads what alerts and notices are about.
    pub alert_subjects: AlertSubjects,
    /// Reads the figures of reports.
    pub account_reports: AccountReports,
    /// Has the people to whom messages are sent, and their roles.
    pub people: Arc<dyn People>,
    /// Has the names of accounts, and whether they send receipts.
    pub accounts: Arc<dyn Accounts>,
    /// Has what people chose to be told about, and the alerts of each message.
    pub mail_outbox: Arc<dyn MailOutbox>,
    /// Has the last sign-ins with a provider.
    pub identities: Arc<dyn Identities>,
    /// Reads the payments of receipts.
    pub transactions: Arc<dyn Transactions>,
    /// Decrypts the links of invitations and resets.
    pub keys: KeyRing,
}

impl MailContents {
    /// What a message is about.
    ///
    /// # Errors
    /// [`UnsentMail`].
    pub async fn read(&self, mail: &QueuedMail, now: Timestamp) -> Result<MailContent, UnsentMail> {
        if mail.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(UnsentMail::Lost(match mail.kind {
                MailKind::Invitation | MailKind::Reset => "its link has ended",
                MailKind::Alerts => "its alerts are too old",
                MailKind::Receipt | MailKind::Refund => "its payment was too long ago",
                MailKind::Security => "it was too long ago",
                MailKind::Report => "its day is over",
            }));
        }
        match mail.kind {
            MailKind::Invitation | MailKind::Reset => self.link(mail).await.map(MailContent::Link),
            MailKind::Alerts => self.alerts(mail).await.map(MailContent::Alerts),
            MailKind::Receipt | MailKind::Refund => {
                self.receipt(mail).await.map(|one| MailContent::Receipt(Box::new(one)))
            }
            MailKind::Security => {
                self.notice(mail).await.map(|one| MailContent::Notice(Box::new(one)))
            }
            MailKind::Report => self.report(mail).await.map(MailContent::Report),
        }
    }

    async fn link(&self, mail: &QueuedMail) -> Result<LinkMail, UnsentMail> {
        let user = self.user(mail).await?;
        let path = mail
            .secret
            .as_ref()
            .and_then(|secret| secret.decrypt_with(INVITATION_SECRET, &self.keys));
        let path =
            path.ok_or(UnsentMail::Lost("its link cannot be decrypted with the server keys"))?;
        let account = self.account(mail.account.as_ref()).await?.map(|account| account.name);
        let invited_to = account.filter(|_| mail.kind == MailKind::Invitation);
        Ok(LinkMail { user, path, invited_to })
    }

    async fn alerts(&self, mail: &QueuedMail) -> Result<AlertMail, UnsentMail> {
        let user = self.user(mail).await?;
        let (Some(account), Some(id)) = (&mail.account, &mail.detail) else {
            return Err(UnsentMail::Lost("it is empty"));
        };
        let memberships = self.people.memberships(&user.id).await?;
        let Some(membership) = memberships.iter().find(|one| one.account == *account) else {
            return Err(UnsentMail::Moot("the person has left the account"));
        };
        let choices = self.mail_outbox.alert_choices(&user.id, account).await?;
        let topics = choices.topics(membership.role);
        let digest = self.mail_outbox.alert_digest(id, &topics, MAX_ALERTS_IN_MESSAGE).await?;
        if digest.count == 0 {
            return Err(UnsentMail::Moot("the person is no longer told about this"));
        }
        let account = self.account(Some(account)).await?.map(|account| account.name);
        let mut alerts = Vec::new();
        for alert in digest.alerts {
            alerts.push(self.alert_subjects.details(alert).await?);
        }
        let account = account.unwrap_or_default();
        Ok(AlertMail { user, account, alerts, count: digest.count })
    }

    async fn notice(&self, mail: &QueuedMail) -> Result<NoticeMail, UnsentMail> {
        let user = self.user(mail).await?;
        let notice = mail.detail.as_deref().and_then(SecurityNotice::from_detail);
        let notice = notice.ok_or(UnsentMail::Lost("it is empty"))?;
        let account = self.account(mail.account.as_ref()).await?;
        let is_own = notice.subject.is_empty() || notice.subject == user.email.as_str();
        if let Some(id) = mail.account.as_ref().filter(|_| !is_own) {
            let roles = self.people.memberships(&user.id).await?;
            // The maker of a key need not be an owner.
            let may_know = |role| role == Role::Owner || notice.event == SecurityEvent::LiveKeyMade;
            if !roles.iter().any(|one| one.account == *id && may_know(one.role)) {
                return Err(UnsentMail::Moot("the person is no longer told about this account"));
            }
        }
        let name = match (&notice.event, &account) {
            (event, _) if event.is_of_webhooks() => {
                self.alert_subjects.endpoint_host(&notice.subject).await?
            }
            (SecurityEvent::LiveKeyMade, Some(account)) => {
                self.alert_subjects.key_name(&account.id, &notice.subject).await?
            }
            _ => None,
        };
        Ok(NoticeMail { user, notice, account, name, is_own })
    }

    async fn report(&self, mail: &QueuedMail) -> Result<ReportMail, UnsentMail> {
        let user = self.user(mail).await?;
        let chosen = mail.detail.as_deref().and_then(ReportInterval::from_detail);
        let (interval, last) = chosen.ok_or(UnsentMail::Lost("it is empty"))?;
        if self.mail_outbox.report_interval(&user.id).await? != Some(interval) {
            return Err(UnsentMail::Moot("the person has stopped it"));
        }
        if user.is_managed() && !self.is_seen_by_provider(&user, mail.occurred_at).await? {
            return Err(UnsentMail::Moot(
                "the person has not signed in with the provider for long",
            ));
        }
        let accounts = self.account_reports.read(&user, interval, last).await?;
        if accounts.is_empty() {
            return Err(UnsentMail::Moot("the person may read no account"));
        }
        Ok(ReportMail { user, interval, last, accounts })
    }

    /// Whether a person whose roles the provider decides has signed in of late.
    async fn is_seen_by_provider(&self, user: &User, now: Timestamp) -> Result<bool, StoreError> {
        let identities = self.identities.identities(&user.id).await?;
        let seen = identities.iter().filter_map(|one| one.used_at).max();
        Ok(seen.is_some_and(|seen| now < seen + PROVIDER_TRUSTED_FOR))
    }

    async fn receipt(&self, mail: &QueuedMail) -> Result<ReceiptMail, UnsentMail> {
        let transaction = match &mail.transaction {
            Some(id) => self.transactions.transaction(id).await?,
            None => None,
        };
        let transaction = transaction.ok_or(UnsentMail::Moot("it is about no transaction"))?;
        let email = transaction.order.details.email.clone().filter(|email| *email != ERASED_EMAIL);
        let email = email.ok_or(UnsentMail::Moot("the address was erased"))?;
        // Unless people have decided that it did succeed.
        if transaction
            .conflict
            .is_some_and(|conflict| conflict.decision != Some(Status::Successful))
        {
            return Err(UnsentMail::Moot("the operator contradicts the payment"));
        }
        let account = self.account(Some(&transaction.order.scope.account)).await?;
        let account = account.ok_or(UnsentMail::Moot("it is about no account"))?;
        if !account.sends_receipts {
            return Err(UnsentMail::Moot("the merchant has turned receipts off"));
        }
        Ok(ReceiptMail { email, account, transaction })
    }

    async fn user(&self, mail: &QueuedMail) -> Result<User, UnsentMail> {
        let user = match &mail.user {
            Some(id) => self.people.user(id).await?,
            None => None,
        };
        user.ok_or(UnsentMail::Moot("the person was removed"))
    }

    async fn account(&self, id: Option<&AccountId>) -> Result<Option<Account>, StoreError> {
        match id {
            Some(id) => self.accounts.account(id).await,
            None => Ok(None),
        }
    }
}
