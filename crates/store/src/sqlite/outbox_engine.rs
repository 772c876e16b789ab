//! The [`Outbox`] port: each use case is one transaction.

use super::{SqliteStore, outbox, webhooks};
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    AccountId, DeliveryId, EndpointId,
    audit::AuditContext,
    ports::{ChangedEndpoint, DeliveryFilter, EndpointChange, Outbox, StoreError},
    webhook::{Delivery, DeliveryOutcome, Endpoint},
};

#[async_trait]
impl Outbox for SqliteStore {
    async fn add_endpoint(&self, endpoint: Endpoint, by: &AuditContext) -> Result<(), StoreError> {
        let by = by.clone();
        self.writer.write(move |db| webhooks::add_endpoint(db, &endpoint, &by)).await
    }

    async fn endpoints(&self, account: Option<&AccountId>) -> Result<Vec<Endpoint>, StoreError> {
        let account = account.cloned();
        self.readers.read_many(move |db| webhooks::endpoints(db, account.as_ref())).await
    }

    async fn endpoint(&self, id: &EndpointId) -> Result<Option<Endpoint>, StoreError> {
        self.readers.read(|db| webhooks::endpoint_by_id(db, id))
    }

    async fn change_endpoint(
        &self,
        id: &EndpointId,
        change: EndpointChange,
        by: &AuditContext,
    ) -> Result<Option<ChangedEndpoint>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.writer.write(move |db| webhooks::change_endpoint(db, &id, &change, &by)).await
    }

    async fn remove_endpoint(
        &self,
        id: &EndpointId,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.writer.write(move |db| webhooks::remove_endpoint(db, &id, &by)).await
    }

    async fn ping_endpoint(
        &self,
        id: &EndpointId,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        let id = id.clone();
        self.writer.write(move |db| webhooks::ping(db, &id, now)).await
    }

    async fn deliveries(&self, filter: DeliveryFilter) -> Result<Vec<Delivery>, StoreError> {
        self.readers.read_many(move |db| webhooks::deliveries(db, &filter)).await
    }

    async fn replay_delivery(
        &self,
        id: &DeliveryId,
        by: &AuditContext,
    ) -> Result<Option<Delivery>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.writer.write(move |db| webhooks::replay(db, &id, &by)).await
    }

    async fn endpoints_due(&self, now: Timestamp) -> Result<Vec<Endpoint>, StoreError> {
        self.readers.read_many(move |db| webhooks::endpoints_due(db, now)).await
    }

    async fn lease_deliveries(
        &self,
        endpoint: &EndpointId,
        now: Timestamp,
        leased_until: Timestamp,
        most: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let endpoint = endpoint.clone();
        self.writer.write(move |db| webhooks::lease(db, &endpoint, now, leased_until, most)).await
    }

    async fn record_attempt(
        &self,
        delivery: &Delivery,
        outcome: DeliveryOutcome,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let delivery = delivery.clone();
        let by = by.clone();
        self.writer.write(move |db| webhooks::record_attempt(db, &delivery, &outcome, &by)).await
    }

    async fn announce_overdue(&self, now: Timestamp, most: u32) -> Result<usize, StoreError> {
        // Usually nothing is overdue; then a read suffices.
        if self.readers.read(|db| outbox::is_anything_overdue(db, now))? {
            self.writer.write(move |db| outbox::announce_overdue(db, now, most)).await
        } else {
            Ok(0)
        }
    }
}
