//! What this engine does in its own way of the [`tua_domain::ports::Outbox`] port.

use crate::{
    in_doubt::InDoubt,
    postgres::{
        PostgresStore,
        batch_ops::BatchWrite,
        deliveries::{self, RecordAttempt},
        outbox,
    },
};
use jiff::Timestamp;
use tua_domain::{
    EndpointId,
    audit::AuditContext,
    ports::StoreError,
    webhook::{Delivery, DeliveryOutcome},
};

impl PostgresStore {
    /// As [`tua_domain::ports::Outbox::lease_deliveries`].
    ///
    /// # Errors
    /// Those of the port.
    pub(crate) async fn lease_of_endpoint(
        &self,
        endpoint: &EndpointId,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.tx
            .write(InDoubt::Retry, |db| async move {
                deliveries::lease(&db, endpoint, now, leased_until, limit).await
            })
            .await
    }

    /// As [`tua_domain::ports::Outbox::record_attempt`].
    ///
    /// # Errors
    /// Those of the port.
    pub(crate) async fn store_attempt(
        &self,
        delivery: &Delivery,
        outcome: DeliveryOutcome,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let attempt = RecordAttempt { sent: delivery.clone(), outcome, by: by.clone() };
        let Ok(()) = self.record_attempt.submit(BatchWrite(attempt)).await?;
        Ok(())
    }

    /// As [`tua_domain::ports::Outbox::announce_overdue`].
    ///
    /// # Errors
    /// Those of the port.
    pub(crate) async fn insert_overdue(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<usize, StoreError> {
        // Usually nothing is overdue; then a read suffices.
        if self.tx.read(|db| async move { outbox::is_anything_overdue(&db, now).await }).await? {
            self.tx
                .write(InDoubt::Retry, |db| async move {
                    outbox::announce_overdue(&db, now, limit).await
                })
                .await
        } else {
            Ok(0)
        }
    }
}
