//! The port for the outbox of e-mail.

use super::StoreError;
use crate::{
    AccountId, UserId,
    audit::AuditContext,
    mail::{
        Alert, AlertChoices, AlertDigest, AlertTopic, MailFilter, MailLease, MailOutcome,
        QueuedMail, ReportInterval,
    },
    people::User,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The e-mail part of the store. Messages are inserted by the methods that change what the message
/// reports, in the same database transaction, and only while e-mail is on.
#[async_trait]
pub trait MailOutbox: Debug + Send + Sync + 'static {
    /// Turns the service's own e-mail on or off, for every process on this database. Accounts that
    /// have a mail server get e-mail also while it is off.
    async fn set_mail(&self, is_on: bool) -> Result<(), StoreError>;
    /// Leases due messages.
    async fn lease_mail(&self, lease: &MailLease) -> Result<Vec<QueuedMail>, StoreError>;
    /// Stores the outcome of an attempt (see [`QueuedMail::record_outcome`]), unless the message
    /// was leased again since.
    async fn record_mail(
        &self,
        sent: &QueuedMail,
        outcome: MailOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Inserts an alert, if e-mail is on or the account has a channel in its mode, and it is no
    /// repetition.
    async fn add_alert(&self, alert: Alert) -> Result<(), StoreError>;
    /// Collects alerts in one message for each person who is told about one of them, at most one in
    /// [`DIGEST_INTERVAL`](crate::mail::DIGEST_INTERVAL).
    async fn dispatch_alerts(&self, now: Timestamp) -> Result<(), StoreError>;
    /// Inserts the reports of the newest day or week that has ended, once for each person who has
    /// chosen them.
    async fn dispatch_reports(&self, now: Timestamp) -> Result<(), StoreError>;
    /// How often a person gets a report; `None` for never.
    async fn report_interval(&self, user: &UserId) -> Result<Option<ReportInterval>, StoreError>;
    /// Stores how often a person gets a report. The first one is of the day or week in which this
    /// is chosen.
    async fn set_report_interval(
        &self,
        user: &User,
        interval: Option<ReportInterval>,
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// The most urgent alerts of a message that are about `topics`, live mode first, at most
    /// `limit`, and how many of them there are in all.
    async fn alert_digest(
        &self,
        id: &str,
        topics: &[AlertTopic],
        limit: u32,
    ) -> Result<AlertDigest, StoreError>;
    /// What a member of an account has switched on and off.
    async fn alert_choices(
        &self,
        user: &UserId,
        account: &AccountId,
    ) -> Result<AlertChoices, StoreError>;
    /// Stores what a member of an account has switched on and off, which is audited.
    async fn set_alert_choices(
        &self,
        user: &User,
        account: &AccountId,
        choices: &AlertChoices,
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// Whether messages about an account can be sent; with `None` those about no account.
    async fn is_mail_on(&self, account: Option<&AccountId>) -> Result<bool, StoreError>;
    /// The newest messages of a filter, at most so many.
    async fn mail(&self, filter: &MailFilter, limit: u32) -> Result<Vec<QueuedMail>, StoreError>;
}
