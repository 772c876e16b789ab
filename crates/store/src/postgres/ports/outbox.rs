//! The methods of the [`tua_domain::ports::Outbox`] port that are specific to PostgreSQL.

use crate::{
    in_doubt::InDoubt,
    postgres::{
        PostgresStore,
        batch_ops::BatchWrite,
        deliveries::{self, RecordAttempt},
    },
};
use jiff::Timestamp;
use tua_domain::{
    EndpointId,
    audit::AuditContext,
    ports::StoreError,
    webhook::{Delivery, DeliveryAttempt},
};

impl PostgresStore {
    /// As [`tua_domain::ports::Outbox::lease_deliveries`].
    pub(crate) async fn lease_deliveries_of_endpoint(
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
    pub(crate) async fn record_delivery_attempt(
        &self,
        delivery: &Delivery,
        attempt: DeliveryAttempt,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let attempt = RecordAttempt { sent: delivery.clone(), attempt, by: by.clone() };
        let Ok(()) = self.record_attempt.submit(BatchWrite(attempt)).await?;
        Ok(())
    }
}
