//! The methods of the [`tua_domain::ports::Outbox`] port that are specific to SQLite.

use crate::sqlite::{SqliteStore, webhooks};
use jiff::Timestamp;
use tua_domain::{
    EndpointId,
    audit::AuditContext,
    ports::StoreError,
    webhook::{Delivery, DeliveryAttempt},
};

impl SqliteStore {
    /// As [`tua_domain::ports::Outbox::lease_deliveries`].
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
}
