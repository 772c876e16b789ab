//! Webhook endpoints, and the outbox of what they are to hear.

use super::StoreError;
use crate::domain::{
    AccountId, DeliveryId, EndpointId,
    webhook::{Delivery, DeliveryOutcome, Endpoint, delivery::DeliveryStatus, encrypted_secret::EncryptedSecret},
};
use async_trait::async_trait;
use jiff::Timestamp;

/// What is changed about an endpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndpointChange {
    /// A new secret; the one before signs beside it until this moment.
    Rotate(EncryptedSecret, Timestamp),
    /// It is sent to again, what waited for it included.
    Enable,
}

/// Which deliveries to list.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DeliveryFilter {
    /// Of this endpoint only.
    pub endpoint: Option<EndpointId>,
    /// Standing so only.
    pub status: Option<DeliveryStatus>,
    /// At most so many.
    pub limit: u32,
}

/// The part of the store that webhooks live in. Deliveries are written by the methods of
/// [`crate::domain::ports::Store`], in the transaction of the state change that they tell of.
#[async_trait]
pub trait Outbox {
    /// Keeps a new endpoint.
    async fn add_endpoint(&self, endpoint: Endpoint) -> Result<(), StoreError>;
    /// All endpoints, or those of one account, oldest first.
    async fn endpoints(&self, account: Option<&AccountId>) -> Result<Vec<Endpoint>, StoreError>;
    /// An endpoint.
    async fn endpoint(&self, id: &EndpointId) -> Result<Option<Endpoint>, StoreError>;
    /// Changes an endpoint; nothing where there is none.
    async fn change_endpoint(&self, id: &EndpointId, change: EndpointChange) -> Result<Option<Endpoint>, StoreError>;
    /// Removes an endpoint and its deliveries; false where there is none.
    async fn remove_endpoint(&self, id: &EndpointId) -> Result<bool, StoreError>;
    /// Puts a `ping` for an endpoint into the outbox; nothing where there is none.
    async fn ping_endpoint(&self, id: &EndpointId, now: Timestamp) -> Result<Option<Delivery>, StoreError>;

    /// Deliveries, newest first.
    async fn deliveries(&self, filter: DeliveryFilter) -> Result<Vec<Delivery>, StoreError>;
    /// Makes a delivery due again, delivered or not; nothing where there is none.
    async fn replay_delivery(&self, id: &DeliveryId, now: Timestamp) -> Result<Option<Delivery>, StoreError>;

    /// Which enabled endpoints have deliveries that are due.
    async fn endpoints_due(&self, now: Timestamp) -> Result<Vec<Endpoint>, StoreError>;
    /// Takes deliveries of an endpoint that are due, oldest first, and puts them off until
    /// `leased_until`, so that nobody else sends them meanwhile.
    async fn lease_deliveries(
        &self,
        endpoint: &EndpointId,
        now: Timestamp,
        leased_until: Timestamp,
        most: u32,
    ) -> Result<Vec<Delivery>, StoreError>;
    /// Keeps what came of an attempt (see [`Delivery::take`]), and disables an endpoint that is gone.
    async fn record_attempt(
        &self,
        delivery: &Delivery,
        outcome: DeliveryOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Tells merchants what only the clock says: transactions that have been pending for ten minutes,
    /// sessions that expired unpaid. Returns how many there were, `most` at the most.
    async fn announce_overdue(&self, now: Timestamp, most: u32) -> Result<usize, StoreError>;
}
