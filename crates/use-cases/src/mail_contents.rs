//! Reads what the messages of the outbox are about at the time when they are sent, and decides
//! which of them are still sent.

mod content;

use super::reports::{attention_totals, seen_by};
use jiff::{SignedDuration, Timestamp, civil::Date};
use std::sync::Arc;
use tua_contract::Status;
use tua_domain::{
    Account, AccountId, BatchId, EndpointId, Mode, Scope, Transaction, TransactionId,
    key_ring::KeyRing,
    mail::{
        Alert, AlertKind, INVITATION_SECRET, MailKind, QueuedMail, ReportInterval, SecurityEvent,
        SecurityNotice,
    },
    people::{Permission, Role, User},
    ports::{Store, StoreError},
    privacy::ERASED_EMAIL,
    review::Case,
};

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
    /// Where everything is stored.
    pub store: Arc<dyn Store>,
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
        let memberships = self.store.memberships(&user.id).await?;
        let Some(membership) = memberships.iter().find(|one| one.account == *account) else {
            return Err(UnsentMail::Moot("the person has left the account"));
        };
        let choices = self.store.alert_choices(&user.id, account).await?;
        let topics = choices.topics(membership.role);
        let digest = self.store.alert_digest(id, &topics, MAX_ALERTS_IN_MESSAGE).await?;
        if digest.count == 0 {
            return Err(UnsentMail::Moot("the person is no longer told about this"));
        }
        let account = self.account(Some(account)).await?.map(|account| account.name);
        let mut alerts = Vec::new();
        for alert in digest.alerts {
            alerts.push(self.details(alert).await?);
        }
        let account = account.unwrap_or_default();
        Ok(AlertMail { user, account, alerts, count: digest.count })
    }

    /// Reads the payment, endpoint, operator or key that an alert is about.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn details(&self, alert: Alert) -> Result<AlertDetails, StoreError> {
        let subject = match alert.kind {
            AlertKind::Review | AlertKind::Conflict | AlertKind::Dispute => {
                let id = TransactionId::new(alert.subject.as_str());
                let payment = self.store.transaction(&id).await?;
                let case = match &payment {
                    Some(payment) if alert.kind == AlertKind::Review => {
                        self.pending_case(payment).await?
                    }
                    _ => None,
                };
                AlertSubject::Payment { payment: payment.map(Box::new), case }
            }
            AlertKind::ApprovalWaiting => self.approval(&alert.subject).await?,
            AlertKind::EndpointDisabled | AlertKind::EndpointFailing => {
                AlertSubject::Endpoint(self.endpoint_host(&alert.subject).await?)
            }
            AlertKind::OperatorDown
            | AlertKind::OperatorRefuses
            | AlertKind::OperatorRecovered
            | AlertKind::FloatLow => AlertSubject::Operator,
            AlertKind::NewDevice => AlertSubject::Person,
            AlertKind::KeyExposed => {
                AlertSubject::Key(self.key_name(&alert.scope.account, &alert.subject).await?)
            }
        };
        Ok(AlertDetails { alert, subject })
    }

    /// The batch, or the payout or refund, that waited for an approval.
    async fn approval(&self, id: &str) -> Result<AlertSubject, StoreError> {
        if let Some(batch) = BatchId::parse(id) {
            let batch = self.store.payout_batch(&batch).await?;
            let is_waiting = batch.is_some_and(|batch| batch.approval_due().is_some());
            return Ok(AlertSubject::Batch { is_waiting });
        }
        let payment = self.store.transaction(&TransactionId::new(id)).await?.map(Box::new);
        Ok(AlertSubject::Payment { payment, case: None })
    }

    /// Why a payment waits for review now.
    async fn pending_case(&self, payment: &Transaction) -> Result<Option<Case>, StoreError> {
        let times = self.store.waiting_times(&payment.order.id).await?;
        Ok(times.and_then(|times| times.flags.pending_case(payment)).map(|(case, _)| case))
    }

    async fn notice(&self, mail: &QueuedMail) -> Result<NoticeMail, UnsentMail> {
        let user = self.user(mail).await?;
        let notice = mail.detail.as_deref().and_then(SecurityNotice::from_detail);
        let notice = notice.ok_or(UnsentMail::Lost("it is empty"))?;
        let account = self.account(mail.account.as_ref()).await?;
        let is_own = notice.subject.is_empty() || notice.subject == user.email.as_str();
        if let Some(id) = mail.account.as_ref().filter(|_| !is_own) {
            let roles = self.store.memberships(&user.id).await?;
            // The maker of a key need not be an owner.
            let may_know = |role| role == Role::Owner || notice.event == SecurityEvent::LiveKeyMade;
            if !roles.iter().any(|one| one.account == *id && may_know(one.role)) {
                return Err(UnsentMail::Moot("the person is no longer told about this account"));
            }
        }
        let name = match (&notice.event, &account) {
            (event, _) if event.is_of_webhooks() => self.endpoint_host(&notice.subject).await?,
            (SecurityEvent::LiveKeyMade, Some(account)) => {
                self.key_name(&account.id, &notice.subject).await?
            }
            _ => None,
        };
        Ok(NoticeMail { user, notice, account, name, is_own })
    }

    async fn report(&self, mail: &QueuedMail) -> Result<ReportMail, UnsentMail> {
        let user = self.user(mail).await?;
        let chosen = mail.detail.as_deref().and_then(ReportInterval::from_detail);
        let (interval, last) = chosen.ok_or(UnsentMail::Lost("it is empty"))?;
        if self.store.report_interval(&user.id).await? != Some(interval) {
            return Err(UnsentMail::Moot("the person has stopped it"));
        }
        if user.is_managed() && !self.is_seen_by_provider(&user, mail.occurred_at).await? {
            return Err(UnsentMail::Moot(
                "the person has not signed in with the provider for long",
            ));
        }
        let accounts = self.account_reports(&user, interval, last).await?;
        if accounts.is_empty() {
            return Err(UnsentMail::Moot("the person may read no account"));
        }
        Ok(ReportMail { user, interval, last, accounts })
    }

    /// The reports of the accounts that a person may read.
    async fn account_reports(
        &self,
        user: &User,
        interval: ReportInterval,
        last: Date,
    ) -> Result<Vec<AccountReport>, StoreError> {
        let mut reports = Vec::new();
        for membership in self.store.memberships(&user.id).await? {
            let Some(account) = self.store.account(&membership.account).await? else { continue };
            if membership.role.may(Permission::ReadPayments) {
                let scope = Scope { account: account.id.clone(), mode: Mode::Live };
                let seen = seen_by(membership.role);
                let mut totals = self.store.day_totals(&scope, interval.days(last)).await?;
                totals.retain(|total| seen.has_type(total.transaction_type));
                let store = self.store.as_ref();
                let waiting = attention_totals(store, store, &scope, &seen).await?;
                reports.push(AccountReport { account, totals, waiting });
            }
        }
        Ok(reports)
    }

    /// Whether a person whose roles the provider decides has signed in of late.
    async fn is_seen_by_provider(&self, user: &User, now: Timestamp) -> Result<bool, StoreError> {
        let identities = self.store.identities(&user.id).await?;
        let seen = identities.iter().filter_map(|one| one.used_at).max();
        Ok(seen.is_some_and(|seen| now < seen + PROVIDER_TRUSTED_FOR))
    }

    async fn receipt(&self, mail: &QueuedMail) -> Result<ReceiptMail, UnsentMail> {
        let transaction = match &mail.transaction {
            Some(id) => self.store.transaction(id).await?,
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
            Some(id) => self.store.user(id).await?,
            None => None,
        };
        user.ok_or(UnsentMail::Moot("the person was removed"))
    }

    async fn account(&self, id: Option<&AccountId>) -> Result<Option<Account>, StoreError> {
        match id {
            Some(id) => self.store.account(id).await,
            None => Ok(None),
        }
    }

    async fn endpoint_host(&self, id: &str) -> Result<Option<String>, StoreError> {
        let endpoint = self.store.endpoint(&EndpointId::new(id)).await?;
        Ok(endpoint.and_then(|endpoint| endpoint.host()))
    }

    async fn key_name(&self, account: &AccountId, id: &str) -> Result<Option<String>, StoreError> {
        let keys = self.store.keys(Some(account)).await?;
        Ok(keys.into_iter().find(|key| key.id.as_str() == id).and_then(|key| key.name))
    }
}
