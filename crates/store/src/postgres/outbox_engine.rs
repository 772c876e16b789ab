//! The [`Outbox`] port: each use case is one transaction.

use super::{
    PostgresStore,
    batch_ops::BatchWrite,
    deliveries::{self, RecordAttempt},
    outbox, webhooks,
};
use crate::in_doubt::InDoubt;
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    AccountId, DeliveryId, EndpointId,
    audit::AuditContext,
    ports::{ChangedEndpoint, DeliveryFilter, EndpointChange, Outbox, StoreError},
    webhook::{Delivery, DeliveryOutcome, Endpoint},
};

#[async_trait]
impl Outbox for PostgresStore {
    async fn add_endpoint(&self, endpoint: Endpoint, by: &AuditContext) -> Result<(), StoreError> {
        let endpoint = &endpoint;
        self.tx
            .write(
                InDoubt::Surface,
                |db| async move { webhooks::add_endpoint(&db, endpoint, by).await },
            )
            .await
    }

    async fn endpoints(&self, account: Option<&AccountId>) -> Result<Vec<Endpoint>, StoreError> {
        self.tx.read(|db| async move { webhooks::endpoints(&db, account).await }).await
    }

    async fn endpoint(&self, id: &EndpointId) -> Result<Option<Endpoint>, StoreError> {
        self.tx.read(|db| async move { webhooks::endpoint_by_id(&db, id).await }).await
    }

    async fn change_endpoint(
        &self,
        id: &EndpointId,
        change: EndpointChange,
        by: &AuditContext,
    ) -> Result<Option<ChangedEndpoint>, StoreError> {
        let change = &change;
        self.tx
            .write(InDoubt::Surface, |db| async move {
                webhooks::change_endpoint(&db, id, change, by).await
            })
            .await
    }

    async fn remove_endpoint(
        &self,
        id: &EndpointId,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        self.tx
            .write(
                InDoubt::Surface,
                |db| async move { webhooks::remove_endpoint(&db, id, by).await },
            )
            .await
    }

    async fn ping_endpoint(
        &self,
        id: &EndpointId,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        self.tx
            .write(InDoubt::Surface, |db| async move { webhooks::ping(&db, id, now).await })
            .await
    }

    async fn deliveries(&self, filter: DeliveryFilter) -> Result<Vec<Delivery>, StoreError> {
        let filter = &filter;
        self.tx.read(|db| async move { deliveries::list(&db, filter).await }).await
    }

    async fn replay_delivery(
        &self,
        id: &DeliveryId,
        by: &AuditContext,
    ) -> Result<Option<Delivery>, StoreError> {
        self.tx
            .write(InDoubt::Retry, |db| async move { deliveries::replay(&db, id, by).await })
            .await
    }

    async fn endpoints_due(&self, now: Timestamp) -> Result<Vec<Endpoint>, StoreError> {
        self.tx.read(|db| async move { webhooks::endpoints_due(&db, now).await }).await
    }

    async fn lease_deliveries(
        &self,
        endpoint: &EndpointId,
        now: Timestamp,
        leased_until: Timestamp,
        most: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.tx
            .write(InDoubt::Retry, |db| async move {
                deliveries::lease(&db, endpoint, now, leased_until, most).await
            })
            .await
    }

    async fn record_attempt(
        &self,
        delivery: &Delivery,
        outcome: DeliveryOutcome,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let attempt = RecordAttempt { sent: delivery.clone(), outcome, by: by.clone() };
        let Ok(()) = self.record_attempt.submit(BatchWrite(attempt)).await?;
        Ok(())
    }

    async fn announce_overdue(&self, now: Timestamp, most: u32) -> Result<usize, StoreError> {
        // Usually nothing is overdue; then a read suffices.
        if self.tx.read(|db| async move { outbox::is_anything_overdue(&db, now).await }).await? {
            self.tx
                .write(InDoubt::Retry, |db| async move {
                    outbox::announce_overdue(&db, now, most).await
                })
                .await
        } else {
            Ok(0)
        }
    }
}
