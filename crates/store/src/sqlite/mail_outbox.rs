//! The [`MailOutbox`] port: each use case is one transaction.

use super::{SqliteStore, alerts, mail, mail_reports};
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
impl MailOutbox for SqliteStore {
    async fn set_mail(&self, is_on: bool) -> Result<(), StoreError> {
        self.write(move |db| {
            let sql = if is_on {
                "INSERT OR IGNORE INTO mail_switch VALUES (1)"
            } else {
                "DELETE FROM mail_switch"
            };
            db.execute(sql, []).map(drop)
        })
        .await
    }

    async fn lease_mail(
        &self,
        now: Timestamp,
        until: Timestamp,
        most: u32,
    ) -> Result<Vec<QueuedMail>, StoreError> {
        // Usually nothing is due; then a read suffices.
        if self.readers.read(|db| mail::is_anything_due(db, now))? {
            self.write(move |db| mail::lease(db, now, until, most)).await
        } else {
            Ok(Vec::new())
        }
    }

    async fn record_mail(
        &self,
        sent: &QueuedMail,
        outcome: MailOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let sent = sent.clone();
        self.write(move |db| mail::record(db, &sent, &outcome, now)).await
    }

    async fn add_alert(&self, alert: Alert) -> Result<(), StoreError> {
        self.write(move |db| alerts::insert(db, &alert)).await
    }

    async fn dispatch_alerts(&self, now: Timestamp) -> Result<(), StoreError> {
        // Usually there are none; then a read suffices.
        if self.readers.read(|db| alerts::due_accounts(db, now))?.is_empty() {
            Ok(())
        } else {
            self.write(move |db| alerts::dispatch(db, now)).await
        }
    }

    async fn dispatch_reports(&self, now: Timestamp) -> Result<(), StoreError> {
        // Usually none is due; then a read suffices.
        if self.readers.read(|db| mail_reports::is_any_due(db, now))? {
            self.write(move |db| mail_reports::dispatch(db, now)).await
        } else {
            Ok(())
        }
    }

    async fn report_interval(&self, user: &UserId) -> Result<Option<ReportInterval>, StoreError> {
        self.readers.read(|db| mail_reports::chosen(db, user))
    }

    async fn set_report_interval(
        &self,
        user: &User,
        interval: Option<ReportInterval>,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let user = user.clone();
        let by = by.clone();
        self.write(move |db| mail_reports::choose(db, &user, interval, &by)).await
    }

    async fn alert_digest(&self, id: &str, most: u32) -> Result<AlertDigest, StoreError> {
        self.readers.read(|db| alerts::digest(db, id, most))
    }

    async fn is_mail_on(&self) -> Result<bool, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT EXISTS (SELECT 1 FROM mail_switch)")?
                .query_row([], |row| row.get(0))
        })
    }

    async fn mail(&self, filter: &MailFilter, most: u32) -> Result<Vec<QueuedMail>, StoreError> {
        let filter = filter.clone();
        self.readers.read_many(move |db| mail::list(db, &filter, most)).await
    }
}
