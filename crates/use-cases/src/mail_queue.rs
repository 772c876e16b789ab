//! E-mail that is due: what the worker sends, and what came of it.

use jiff::Timestamp;
use std::sync::Arc;
use tracing::error;
use tua_domain::{
    mail::{MailLease, MailOutcome, QueuedMail},
    ports::{MailOutbox, StoreError},
};

/// Leases e-mail that is due, and records what came of it.
#[derive(Clone, Debug)]
pub struct MailQueue {
    /// Where messages are stored.
    pub outbox: Arc<dyn MailOutbox>,
}

impl MailQueue {
    /// Makes due alerts and reports into messages. Those that cannot be made into messages stay
    /// due, and delay no other message.
    pub async fn dispatch(&self, now: Timestamp) {
        if let Err(error) = self.outbox.dispatch_alerts(now).await {
            error!(%error, "due alerts could not be made into e-mail; trying again");
        }
        if let Err(error) = self.outbox.dispatch_reports(now).await {
            error!(%error, "due reports could not be made into e-mail; trying again");
        }
    }

    /// Leases due messages.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn lease(&self, lease: &MailLease) -> Result<Vec<QueuedMail>, StoreError> {
        self.outbox.lease_mail(lease).await
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
