//! The [`MailOutbox`] port: each use case is one transaction.

use super::{PostgresStore, alerts, in_doubt::InDoubt, mail, mail_reports};
use crate::rows;
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    AccountId, UserId,
    audit::AuditContext,
    mail::{Alert, AlertDigest, MailFilter, MailOutcome, QueuedMail, ReportInterval},
    people::User,
    ports::{MailOutbox, StoreError},
};

type Stored<T> = Result<T, StoreError>;

#[async_trait]
impl MailOutbox for PostgresStore {
    async fn set_mail(&self, is_on: bool) -> Stored<()> {
        let sql = if is_on {
            "INSERT INTO mail_switch VALUES (1) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM mail_switch"
        };
        self.tx
            .write(InDoubt::Retry, |db| async move { db.execute(sql, &[]).await.map(drop) })
            .await
    }

    async fn lease_mail(
        &self,
        now: Timestamp,
        until: Timestamp,
        most: u32,
    ) -> Stored<Vec<QueuedMail>> {
        // Usually nothing is due; then a read suffices.
        if self.tx.read(|db| async move { mail::is_anything_due(&db, now).await }).await? {
            self.tx
                .write(InDoubt::Retry, |db| async move { mail::lease(&db, now, until, most).await })
                .await
        } else {
            Ok(Vec::new())
        }
    }

    async fn record_mail(
        &self,
        sent: &QueuedMail,
        outcome: MailOutcome,
        now: Timestamp,
    ) -> Stored<()> {
        let outcome = &outcome;
        self.tx
            .write(InDoubt::Retry, |db| async move { mail::record(&db, sent, outcome, now).await })
            .await
    }

    async fn add_alert(&self, alert: Alert) -> Stored<()> {
        let alert = &alert;
        self.tx.write(InDoubt::Retry, |db| async move { alerts::insert(&db, alert).await }).await
    }

    async fn dispatch_alerts(&self, now: Timestamp) -> Stored<()> {
        // Usually there are none; then a read suffices.
        if self.tx.read(|db| async move { alerts::due_accounts(&db, now).await }).await?.is_empty()
        {
            Ok(())
        } else {
            self.tx
                .write(InDoubt::Retry, |db| async move { alerts::dispatch(&db, now).await })
                .await
        }
    }

    async fn dispatch_reports(&self, now: Timestamp) -> Stored<()> {
        // Usually none is due; then a read suffices.
        if self.tx.read(|db| async move { mail_reports::is_any_due(&db, now).await }).await? {
            self.tx
                .write(InDoubt::Retry, |db| async move { mail_reports::dispatch(&db, now).await })
                .await
        } else {
            Ok(())
        }
    }

    async fn report_interval(&self, user: &UserId) -> Stored<Option<ReportInterval>> {
        self.tx.read(|db| async move { mail_reports::chosen(&db, user).await }).await
    }

    async fn set_report_interval(
        &self,
        user: &User,
        interval: Option<ReportInterval>,
        by: &AuditContext,
    ) -> Stored<()> {
        self.tx
            .write(InDoubt::Retry, |db| async move {
                mail_reports::choose(&db, user, interval, by).await
            })
            .await
    }

    async fn alert_digest(&self, id: &str, most: u32) -> Stored<AlertDigest> {
        self.tx.read(|db| async move { alerts::digest(&db, id, most).await }).await
    }

    async fn is_mail_on(&self) -> Stored<bool> {
        self.tx
            .read(|db| async move {
                Ok(db.query_opt("SELECT 1 FROM mail_switch", &[]).await?.is_some())
            })
            .await
    }

    async fn mail(&self, filter: &MailFilter, most: u32) -> Stored<Vec<QueuedMail>> {
        let sql = if filter.is_given_up { rows::MAIL_GIVEN_UP } else { rows::MAIL };
        self.tx
            .read(|db| async move {
                let account = filter.account.as_ref().map(AccountId::as_str);
                db.query(sql, &[&account, &i64::from(most)]).await?.iter().map(rows::mail).collect()
            })
            .await
    }
}
