//! The port for webhook endpoints and the outbox of their deliveries.

use super::StoreError;
use crate::{
    AccountId, DeliveryId, EndpointId, KeyId,
    audit::AuditContext,
    encrypted_secret::EncryptedSecret,
    idempotency::StoredResponse,
    webhook::{
        Delivery, DeliveryAttempt, Endpoint, delivery::DeliveryStatus,
        endpoint::CreateEndpointError,
    },
};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use std::fmt::Debug;

/// A change to an endpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndpointChange {
    /// Sets a new secret. The previous one also signs until this time.
    RotateSecret(EncryptedSecret, Timestamp),
    /// Enables it again. Deliveries that were due before it was disabled are sent, and with
    /// `resend` also those that were recorded meanwhile.
    Enable {
        /// Whether to send what was recorded.
        resend: bool,
    },
    /// Disables it: its events are recorded, and not sent.
    Disable,
}

/// An endpoint after a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedEndpoint {
    /// The endpoint as the change has left it.
    pub endpoint: Endpoint,
    /// How many deliveries were recorded while it was disabled, and not sent before this change.
    pub recorded_deliveries: u64,
}

/// Selects the deliveries to list.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DeliveryFilter {
    /// Only the delivery with this id; `None` for any.
    pub id: Option<DeliveryId>,
    /// Only of this endpoint.
    pub endpoint: Option<EndpointId>,
    /// Only with this status.
    pub status: Option<DeliveryStatus>,
    /// Only of events from this day on, in UTC.
    pub from: Option<Date>,
    /// Only of events until this day, in UTC.
    pub to: Option<Date>,
    /// The maximum number of deliveries; with the default of 0 none is listed.
    pub limit: u32,
}

/// The webhook part of the store. Deliveries are inserted by the methods of
/// [`crate::ports::Store`], in the database transaction of the state change.
#[async_trait]
pub trait Outbox: Debug + Send + Sync + 'static {
    /// Inserts a new endpoint, and audits it in the same transaction.
    async fn add_endpoint(&self, endpoint: Endpoint, by: &AuditContext) -> Result<(), StoreError>;
    /// As [`Self::add_endpoint`], for a secret key, with the idempotency record and its response.
    async fn create_endpoint(
        &self,
        endpoint: Endpoint,
        created_by: &KeyId,
        response: Option<StoredResponse>,
        by: &AuditContext,
    ) -> Result<(), CreateEndpointError>;
    /// All endpoints that were not removed, or those of one account, oldest first.
    async fn endpoints(&self, account: Option<&AccountId>) -> Result<Vec<Endpoint>, StoreError>;
    /// An endpoint, also one that was removed.
    async fn endpoint(&self, id: &EndpointId) -> Result<Option<Endpoint>, StoreError>;
    /// Changes an endpoint. `None` if it does not exist or was removed, or if it is changed with a
    /// secret key that is revoked.
    async fn change_endpoint(
        &self,
        id: &EndpointId,
        change: EndpointChange,
        by: &AuditContext,
    ) -> Result<Option<ChangedEndpoint>, StoreError>;
    /// Removes an endpoint. Its pending deliveries fail, and all its deliveries can still be
    /// listed. `false` if it does not exist or was removed before, or if a secret key that is
    /// revoked removes it.
    async fn remove_endpoint(&self, id: &EndpointId, by: &AuditContext)
    -> Result<bool, StoreError>;
    /// Inserts a `ping` for an endpoint into the outbox. `None` if the endpoint does not exist or
    /// was removed.
    async fn ping_endpoint(
        &self,
        id: &EndpointId,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError>;

    /// Lists the deliveries that match the filter, newest first, at most `limit`.
    async fn deliveries(&self, filter: DeliveryFilter) -> Result<Vec<Delivery>, StoreError>;
    /// Makes a delivery due again, whatever its status. `None` if it does not exist, or its
    /// endpoint was removed.
    async fn replay_delivery(
        &self,
        id: &DeliveryId,
        by: &AuditContext,
    ) -> Result<Option<Delivery>, StoreError>;

    /// The enabled endpoints with deliveries that are due.
    async fn endpoints_due(&self, now: Timestamp) -> Result<Vec<Endpoint>, StoreError>;
    /// Leases due deliveries of an endpoint, oldest first, at most `limit`. Until `leased_until` no
    /// other worker gets them.
    async fn lease_deliveries(
        &self,
        endpoint: &EndpointId,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError>;
    /// Stores the outcome of an attempt (see [`Delivery::record_attempt`]), and disables an
    /// endpoint that is gone. `by` is the service; only the second is audited.
    async fn record_attempt(
        &self,
        delivery: &Delivery,
        attempt: DeliveryAttempt,
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// Inserts the deliveries that depend on time alone: for transactions pending for ten minutes
    /// and sessions that expired unpaid. Returns the number of these, at most `limit`.
    async fn announce_overdue(&self, now: Timestamp, limit: u32) -> Result<usize, StoreError>;
}
