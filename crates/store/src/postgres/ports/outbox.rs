//! The methods of the [`tua_domain::ports::Outbox`] port that are specific to PostgreSQL.

use crate::{
    in_doubt::InDoubt,
    postgres::{
        PostgresStore,
        batch_ops::BatchWrite,
        deliveries::{self, RecordAttempt},
        outbox, webhook_endpoints,
    },
};
use jiff::Timestamp;
use tua_domain::{
    EndpointId, KeyId,
    audit::AuditContext,
    idempotency::StoredResponse,
    ports::StoreError,
    webhook::{Delivery, DeliveryAttempt, Endpoint, endpoint::CreateEndpointError},
};
use tua_sql::write_error::WriteError;

impl PostgresStore {
    /// As [`tua_domain::ports::Outbox::create_endpoint`].
    ///
    /// # Errors
    /// Those of the port.
    pub(crate) async fn insert_endpoint(
        &self,
        endpoint: Endpoint,
        created_by: &KeyId,
        response: Option<StoredResponse>,
        by: &AuditContext,
    ) -> Result<(), CreateEndpointError> {
        let endpoint = &endpoint;
        let response = response.as_ref();
        let exists = "SELECT 1 FROM webhook_endpoints WHERE id = $1";
        let verify = InDoubt::Verify(exists, endpoint.id.as_str());
        self.tx
            .try_write(verify, |db| async move {
                webhook_endpoints::insert(&db, endpoint, created_by, response, by).await
            })
            .await
            .map_err(WriteError::into_error)
    }

    /// As [`tua_domain::ports::Outbox::lease_deliveries`].
    ///
    /// # Errors
    /// Those of the port.
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
    ///
    /// # Errors
    /// Those of the port.
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

    /// As [`tua_domain::ports::Outbox::announce_overdue`].
    ///
    /// # Errors
    /// Those of the port.
    pub(crate) async fn announce_overdue_if_any(
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
