//! The outbox of e-mail of a store whose methods fail as planned. Tests plan failures of the two
//! that make e-mail of what is due.

use super::{failing_plan::Moment, failing_store::FailingStore};
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    UserId,
    audit::AuditContext,
    mail::{Alert, AlertDigest, MailFilter, MailOutcome, QueuedMail, ReportInterval},
    people::User,
    ports::{MailOutbox, StoreError},
};

#[async_trait]
impl MailOutbox for FailingStore {
    async fn set_mail(&self, is_on: bool) -> Result<(), StoreError> {
        self.inner.set_mail(is_on).await
    }

    async fn lease_mail(
        &self,
        now: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<QueuedMail>, StoreError> {
        self.inner.lease_mail(now, until, limit).await
    }

    async fn record_mail(
        &self,
        sent: &QueuedMail,
        outcome: MailOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.inner.record_mail(sent, outcome, now).await
    }

    async fn add_alert(&self, alert: Alert) -> Result<(), StoreError> {
        self.inner.add_alert(alert).await
    }

    async fn dispatch_alerts(&self, now: Timestamp) -> Result<(), StoreError> {
        self.plan.check("dispatch_alerts", Moment::Before)?;
        self.inner.dispatch_alerts(now).await
    }

    async fn dispatch_reports(&self, now: Timestamp) -> Result<(), StoreError> {
        self.plan.check("dispatch_reports", Moment::Before)?;
        self.inner.dispatch_reports(now).await
    }

    async fn report_interval(&self, user: &UserId) -> Result<Option<ReportInterval>, StoreError> {
        self.inner.report_interval(user).await
    }

    async fn set_report_interval(
        &self,
        user: &User,
        interval: Option<ReportInterval>,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        self.inner.set_report_interval(user, interval, by).await
    }

    async fn alert_digest(&self, id: &str, limit: u32) -> Result<AlertDigest, StoreError> {
        self.inner.alert_digest(id, limit).await
    }

    async fn is_mail_on(&self) -> Result<bool, StoreError> {
        self.inner.is_mail_on().await
    }

    async fn mail(&self, filter: &MailFilter, limit: u32) -> Result<Vec<QueuedMail>, StoreError> {
        self.inner.mail(filter, limit).await
    }
}
