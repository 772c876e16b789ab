//! The [`Outbox`] port: each use case is one transaction.

use super::both_engines;
use crate::{
    in_doubt::InDoubt,
    queries::{deliveries, endpoints, overdue},
};
use jiff::Timestamp;
use tua_domain::{
    AccountId, DeliveryId, EndpointId, KeyId,
    audit::AuditContext,
    idempotency::StoredResponse,
    ports::{ChangedEndpoint, DeliveryFilter, EndpointChange, Outbox, StoreError},
    webhook::{Delivery, DeliveryAttempt, Endpoint, endpoint::CreateEndpointError},
};
use tua_sql::queries::webhooks;

both_engines! {
    impl Outbox {
        async fn add_endpoint(
            &self,
            endpoint: Endpoint,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            self.write(InDoubt::Surface, (endpoint, by.clone()), async |db, (endpoint, by)| {
                webhooks::add(db, endpoint, by).await
            })
            .await
        }

        async fn create_endpoint(
            &self,
            endpoint: Endpoint,
            created_by: &KeyId,
            response: Option<StoredResponse>,
            by: &AuditContext,
        ) -> Result<(), CreateEndpointError> {
            let id = endpoint.id.clone();
            let exists = "SELECT 1 FROM webhook_endpoints WHERE id = $1";
            let input = (endpoint, created_by.clone(), response, by.clone());
            self.try_write(
                InDoubt::Verify(exists, id.as_str()),
                input,
                async |db, (endpoint, created_by, response, by)| {
                    endpoints::create(db, endpoint, created_by, response.as_ref(), by).await
                },
            )
            .await
        }

        async fn endpoints(
            &self,
            account: Option<&AccountId>,
        ) -> Result<Vec<Endpoint>, StoreError> {
            self.read_many(account.cloned(), async |db, account| {
                webhooks::list(db, account.as_ref()).await
            })
            .await
        }

        async fn endpoint(&self, id: &EndpointId) -> Result<Option<Endpoint>, StoreError> {
            self.read(id.clone(), async |db, id| webhooks::by_id(db, id).await).await
        }

        async fn change_endpoint(
            &self,
            id: &EndpointId,
            change: EndpointChange,
            by: &AuditContext,
        ) -> Result<Option<ChangedEndpoint>, StoreError> {
            let input = (id.clone(), change, by.clone());
            self.write(InDoubt::Surface, input, async |db, (id, change, by)| {
                webhooks::change(db, id, change, by).await
            })
            .await
        }

        async fn remove_endpoint(
            &self,
            id: &EndpointId,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Surface, (id.clone(), by.clone()), async |db, (id, by)| {
                webhooks::remove(db, id, by).await
            })
            .await
        }

        async fn ping_endpoint(
            &self,
            id: &EndpointId,
            now: Timestamp,
        ) -> Result<Option<Delivery>, StoreError> {
            self.write(InDoubt::Surface, id.clone(), async move |db, id| {
                deliveries::ping(db, id, now).await
            })
            .await
        }

        async fn deliveries(&self, filter: DeliveryFilter) -> Result<Vec<Delivery>, StoreError> {
            self.read_many(filter, async |db, filter| deliveries::list(db, filter).await).await
        }

        async fn replay_delivery(
            &self,
            id: &DeliveryId,
            by: &AuditContext,
        ) -> Result<Option<Delivery>, StoreError> {
            self.write(InDoubt::Retry, (id.clone(), by.clone()), async |db, (id, by)| {
                deliveries::replay(db, id, by).await
            })
            .await
        }

        async fn endpoints_due(&self, now: Timestamp) -> Result<Vec<Endpoint>, StoreError> {
            self.read_many((), async move |db, ()| webhooks::due(db, now).await).await
        }

        async fn lease_deliveries(
            &self,
            endpoint: &EndpointId,
            now: Timestamp,
            leased_until: Timestamp,
            limit: u32,
        ) -> Result<Vec<Delivery>, StoreError> {
            self.lease_deliveries_of_endpoint(endpoint, now, leased_until, limit).await
        }

        async fn record_attempt(
            &self,
            delivery: &Delivery,
            attempt: DeliveryAttempt,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            self.record_delivery_attempt(delivery, attempt, by).await
        }

        async fn announce_overdue(&self, now: Timestamp, limit: u32) -> Result<usize, StoreError> {
            // Usually nothing is overdue; then a read suffices.
            if !self.read(now, async |db, now| overdue::is_any(db, *now).await).await? {
                return Ok(0);
            }
            self.write(InDoubt::Retry, (), async move |db, ()| {
                overdue::announce(db, now, limit).await
            })
            .await
        }
    }
}
