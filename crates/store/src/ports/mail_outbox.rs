//! The [`MailOutbox`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::Timestamp;
use tua_domain::{
    AccountId, UserId,
    audit::AuditContext,
    mail::{
        Alert, AlertChoices, AlertDigest, AlertTopic, MailFilter, MailLease, MailOutcome,
        QueuedMail, ReportInterval,
    },
    people::User,
    ports::{MailOutbox, StoreError},
};
use tua_sql::queries::{alert_choices, alerts, mail, mail_leases, mail_outcomes, mail_reports};

both_engines! {
    impl MailOutbox {
        async fn set_mail(&self, is_on: bool) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, (), async move |db, ()| mail::switch(db, is_on).await).await
        }

        async fn lease_mail(
            &self,
            lease: &MailLease,
        ) -> Result<Vec<QueuedMail>, StoreError> {
            // Usually nothing is due; then a read suffices.
            if !self
                .read(lease.now, async |db, now| mail_leases::is_any_due(db, *now).await)
                .await?
            {
                return Ok(Vec::new());
            }
            self.write(InDoubt::Retry, lease.clone(), async |db, lease| {
                mail_leases::lease(db, lease).await
            })
            .await
        }

        async fn record_mail(
            &self,
            sent: &QueuedMail,
            outcome: MailOutcome,
            now: Timestamp,
        ) -> Result<(), StoreError> {
            let input = (sent.clone(), outcome);
            self.write(InDoubt::Retry, input, async move |db, (sent, outcome)| {
                mail_outcomes::record(db, sent, outcome, now).await
            })
            .await
        }

        async fn add_alert(&self, alert: Alert) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, alert, async |db, alert| alerts::insert(db, alert).await)
                .await
        }

        async fn dispatch_alerts(&self, now: Timestamp) -> Result<(), StoreError> {
            // Usually there are none; then a read suffices.
            let due = self.read(now, async |db, now| alerts::due_accounts(db, *now).await).await?;
            if due.is_empty() {
                return Ok(());
            }
            self.write(InDoubt::Retry, (), async move |db, ()| alerts::dispatch(db, now).await)
                .await
        }

        async fn dispatch_reports(&self, now: Timestamp) -> Result<(), StoreError> {
            // Usually none is due; then a read suffices.
            if !self.read(now, async |db, now| mail_reports::is_any_due(db, *now).await).await? {
                return Ok(());
            }
            self.write(InDoubt::Retry, (), async move |db, ()| {
                mail_reports::dispatch(db, now).await
            })
            .await
        }

        async fn report_interval(
            &self,
            user: &UserId,
        ) -> Result<Option<ReportInterval>, StoreError> {
            self.read(user.clone(), async |db, user| mail_reports::chosen(db, user).await).await
        }

        async fn set_report_interval(
            &self,
            user: &User,
            interval: Option<ReportInterval>,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (user.clone(), by.clone());
            self.write(InDoubt::Retry, input, async move |db, (user, by)| {
                mail_reports::choose(db, user, interval, by).await
            })
            .await
        }

        async fn alert_digest(
            &self,
            id: &str,
            topics: &[AlertTopic],
            limit: u32,
        ) -> Result<AlertDigest, StoreError> {
            let input = (id.to_owned(), topics.to_vec());
            self.read(input, async move |db, (id, topics)| {
                alerts::digest(db, id, topics, limit).await
            })
            .await
        }

        async fn alert_choices(
            &self,
            user: &UserId,
            account: &AccountId,
        ) -> Result<AlertChoices, StoreError> {
            let input = (user.clone(), account.clone());
            self.read(input, async |db, (user, account)| {
                alert_choices::of_member(db, user, account).await
            })
            .await
        }

        async fn set_alert_choices(
            &self,
            user: &User,
            account: &AccountId,
            choices: &AlertChoices,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (user.clone(), account.clone(), choices.clone(), by.clone());
            self.write(InDoubt::Retry, input, async |db, (user, account, choices, by)| {
                alert_choices::store(db, user, account, choices, by).await
            })
            .await
        }

        async fn is_mail_on(&self, account: Option<&AccountId>) -> Result<bool, StoreError> {
            self.read(account.cloned(), async |db, account| {
                mail::is_on(db, account.as_ref()).await
            })
            .await
        }

        async fn mail(
            &self,
            filter: &MailFilter,
            limit: u32,
        ) -> Result<Vec<QueuedMail>, StoreError> {
            self.read_many(filter.clone(), async move |db, filter| {
                mail::list(db, filter, limit).await
            })
            .await
        }
    }
}
