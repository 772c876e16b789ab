//! Webhook deliveries that are due: what the worker sends, and what came of it.

use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    Checkout, CheckoutSummary, EndpointId, Transaction,
    audit::{AuditContext, Source},
    key_ring::KeyRing,
    listing::{Filter, Page},
    ports::{Clock, Store, StoreError},
    webhook::{Delivery, DeliveryOutcome, Endpoint, delivery::Subject},
};

/// The maximum number of overdue transactions and sessions in one write.
const MAX_ANNOUNCED_PER_WRITE: u32 = 100;

/// Reads deliveries that are due, and records what came of them.
#[derive(Clone, Debug)]
pub struct DueDeliveries {
    /// Where deliveries and their subjects are stored.
    pub store: Arc<dyn Store>,
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

/// What a delivery is about, as it was at the time of the event.
#[derive(Clone, Debug)]
pub enum DeliverySubject {
    /// The endpoint itself, of a ping.
    Endpoint(EndpointId),
    /// A charge, payout or refund.
    Transaction(Box<Transaction>),
    /// A checkout session, with the summary of its charges.
    Checkout(Box<Checkout>, Box<CheckoutSummary>),
}

impl DueDeliveries {
    /// Inserts the deliveries that depend on time alone, and lists the endpoints to which something
    /// is due.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn endpoints(&self, now: Timestamp) -> Result<DueEndpoints, StoreError> {
        let announced = self.store.announce_overdue(now, MAX_ANNOUNCED_PER_WRITE).await?;
        Ok(DueEndpoints { announced, endpoints: self.store.endpoints_due(now).await? })
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
        self.store.lease_deliveries(endpoint, now, leased_until, limit).await
    }

    /// What a delivery is about. A transaction at a version is replayed from its events, which
    /// never change.
    ///
    /// # Errors
    /// Those of the store, and an error if the subject no longer exists.
    pub async fn subject(&self, delivery: &Delivery) -> Result<DeliverySubject, StoreError> {
        match &delivery.subject {
            Subject::Endpoint(id) => Ok(DeliverySubject::Endpoint(id.clone())),
            Subject::Transaction(id, version) => {
                let events = self.store.events(id).await?;
                let until = usize::try_from(*version).map_err(StoreError::failed)?;
                let then =
                    Transaction::replay(events.into_iter().take(until)).ok_or_else(not_found)?;
                Ok(DeliverySubject::Transaction(Box::new(then)))
            }
            Subject::Checkout(id) => {
                let checkout = self.store.checkout(id).await?.ok_or_else(not_found)?;
                let summary = self.summary_at(&checkout, delivery.occurred_at).await?;
                Ok(DeliverySubject::Checkout(Box::new(checkout), Box::new(summary)))
            }
        }
    }

    /// The summary of a session's charges at a time.
    async fn summary_at(
        &self,
        checkout: &Checkout,
        at: Timestamp,
    ) -> Result<CheckoutSummary, StoreError> {
        let filter = Filter { checkout: Some(checkout.id.clone()), ..Filter::default() };
        let page = Page { limit: u32::MAX, after: None };
        let newest_first = self.store.transactions(&checkout.scope, filter, page).await?;
        let mut charges = Vec::new();
        for charge in newest_first.into_iter().rev() {
            let events = self.store.events(&charge.order.id).await?;
            let until = events.into_iter().take_while(|(then, _)| *then <= at);
            charges.extend(Transaction::replay(until));
        }
        Ok(CheckoutSummary::of(charges))
    }

    /// Stores the outcome of an attempt, and disables an endpoint that is gone. The service itself
    /// does that in the audit log.
    ///
    /// # Errors
    /// Those of the store. The delivery is sent again then.
    pub async fn record(
        &self,
        delivery: &Delivery,
        outcome: DeliveryOutcome,
    ) -> Result<(), StoreError> {
        let by = AuditContext {
            at: self.clock.now(),
            actor: "tua serve".to_owned(),
            source: Source::Service,
            device: None,
            key: self.keys.audit_key(),
        };
        self.store.record_attempt(delivery, outcome, &by).await
    }
}

fn not_found() -> StoreError {
    StoreError::failed("the subject of a webhook no longer exists")
}
