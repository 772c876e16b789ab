//! The methods of the [`tua_domain::ports::Outbox`] port that are specific to SQLite.

use crate::sqlite::{SqliteStore, outbox, webhook_endpoints, webhooks};
use jiff::Timestamp;
use tua_domain::{
    EndpointId, KeyId,
    audit::AuditContext,
    idempotency::StoredResponse,
    ports::StoreError,
    webhook::{Delivery, DeliveryAttempt, Endpoint, endpoint::CreateEndpointError},
};
use tua_sql::write_error::WriteError;

impl SqliteStore {
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
        let created_by = created_by.clone();
        let by = by.clone();
        self.writer
            .try_write(move |db| {
                webhook_endpoints::insert(db, &endpoint, &created_by, response.as_ref(), &by)
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
        let endpoint = endpoint.clone();
        self.writer.write(move |db| webhooks::lease(db, &endpoint, now, leased_until, limit)).await
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
        let delivery = delivery.clone();
        let by = by.clone();
        self.writer.write(move |db| webhooks::record_attempt(db, &delivery, &attempt, &by)).await
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
        if self.readers.read(|db| outbox::is_anything_overdue(db, now))? {
            self.writer.write(move |db| outbox::announce_overdue(db, now, limit)).await
        } else {
            Ok(0)
        }
    }
}
