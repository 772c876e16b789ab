//! E-mail that is due: what the worker sends, and what came of it.

use jiff::Timestamp;
use std::sync::Arc;
use tracing::error;
use tua_domain::{
    mail::{MailOutcome, QueuedMail},
    ports::{MailOutbox, StoreError},
};

/// Leases e-mail that is due, and records what came of it.
#[derive(Clone, Debug)]
pub struct MailQueue {
    /// Where messages are stored.
    pub outbox: Arc<dyn MailOutbox>,
}

impl MailQueue {
    /// Makes due alerts and reports into messages, and leases due messages, oldest first, at most
    /// `limit`. Until `leased_until` no other worker gets them. Alerts and reports that cannot be
    /// made into messages stay due, and delay no other message.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn lease(
        &self,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<QueuedMail>, StoreError> {
        if let Err(error) = self.outbox.dispatch_alerts(now).await {
            error!(%error, "due alerts could not be made into e-mail; trying again");
        }
        if let Err(error) = self.outbox.dispatch_reports(now).await {
            error!(%error, "due reports could not be made into e-mail; trying again");
        }
        self.outbox.lease_mail(now, leased_until, limit).await
    }

    /// Stores the outcome of an attempt, unless the message was leased again since.
    ///
    /// # Errors
    /// Those of the store. The message is sent again then.
    pub async fn record(
        &self,
        mail: &QueuedMail,
        outcome: MailOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.outbox.record_mail(mail, outcome, now).await
    }
}
