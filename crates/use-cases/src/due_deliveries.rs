//! Webhook deliveries that are due: what the worker sends, and what came of it.

use super::delivery_subject::DeliverySubjects;
use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    EndpointId,
    audit::{AuditContext, Source},
    key_ring::KeyRing,
    ports::{Clock, Outbox, StoreError},
    webhook::{Delivery, DeliveryAttempt, Endpoint, SubjectSnapshot},
};

/// The maximum number of overdue transactions and sessions in one write.
const MAX_ANNOUNCED_PER_WRITE: u32 = 100;

/// Reads deliveries that are due, and records what came of them.
#[derive(Clone, Debug)]
pub struct DueDeliveries {
    /// Where deliveries are leased, and where their attempts are recorded.
    pub outbox: Arc<dyn Outbox>,
    /// Reads what deliveries are about.
    pub subjects: DeliverySubjects,
    /// The clock of the times at which outcomes are recorded.
    pub clock: Arc<dyn Clock>,
    /// Seals the entry of the audit log for an endpoint that is disabled.
    pub keys: KeyRing,
}

/// The endpoints to which something is due.
#[derive(Debug)]
pub struct DueEndpoints {
    /// How many transactions and sessions were announced that are overdue.
    pub announced: usize,
    /// The enabled endpoints with deliveries that are due.
    pub endpoints: Vec<Endpoint>,
}

impl DueDeliveries {
    /// Inserts the deliveries that depend on time alone, and lists the endpoints to which something
    /// is due.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn endpoints(&self, now: Timestamp) -> Result<DueEndpoints, StoreError> {
        let announced = self.outbox.announce_overdue(now, MAX_ANNOUNCED_PER_WRITE).await?;
        Ok(DueEndpoints { announced, endpoints: self.outbox.endpoints_due(now).await? })
    }

    /// Leases due deliveries of an endpoint, oldest first, at most `limit`. Until `leased_until` no
    /// other worker gets them.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn lease(
        &self,
        endpoint: &EndpointId,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.outbox.lease_deliveries(endpoint, now, leased_until, limit).await
    }

    /// What a delivery is about, as it was at the time of the event.
    ///
    /// # Errors
    /// Those of the store, and an error if the subject no longer exists.
    pub async fn subject(&self, delivery: &Delivery) -> Result<SubjectSnapshot, StoreError> {
        self.subjects.read(delivery).await
    }

    /// Stores an attempt, and disables an endpoint that is gone. The service itself
    /// does that in the audit log.
    ///
    /// # Errors
    /// Those of the store. The delivery is sent again then.
    pub async fn record(
        &self,
        delivery: &Delivery,
        attempt: DeliveryAttempt,
    ) -> Result<(), StoreError> {
        let by = AuditContext {
            at: self.clock.now(),
            actor: "tua serve".to_owned(),
            source: Source::Service,
            device: None,
            key: self.keys.audit_key(),
        };
        self.outbox.record_attempt(delivery, attempt, &by).await
    }
}
