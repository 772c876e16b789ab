//! The port for the record of events that `GET /v1/events` reads.

use super::StoreError;
use crate::{
    Scope,
    audit::AuditContext,
    webhook::{
        Delivery,
        record::{EventBarrier, EventFilter, EventRange, RecordState},
    },
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The record of a scope's events. Events are inserted by the methods of [`crate::ports::Store`],
/// in the database transaction of the state change, as deliveries are.
#[async_trait]
pub trait EventRecord: Debug + Send + Sync + 'static {
    /// Begins the record of a scope, and audits that, unless it has begun before. It is incomplete
    /// until [`Self::complete_record`] has inserted the events from before.
    async fn begin_record(
        &self,
        scope: &Scope,
        by: &AuditContext,
    ) -> Result<RecordState, StoreError>;
    /// Inserts the past events (`past_events`) that an incomplete record does not have. It waits
    /// some seconds for transactions that ran when the record began. The record stays incomplete if
    /// one of them runs longer: a later call inserts its events.
    async fn complete_record(
        &self,
        scope: &Scope,
        now: Timestamp,
    ) -> Result<RecordState, StoreError>;
    /// The recorded events that match, at most `limit`.
    async fn recorded_events(
        &self,
        scope: &Scope,
        filter: EventFilter,
        range: EventRange,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError>;
    /// A recorded event of this scope by its id (`webhook-id`).
    async fn recorded_event(&self, scope: &Scope, id: &str)
    -> Result<Option<Delivery>, StoreError>;
    /// Makes a barrier at the present end of the record.
    async fn event_barrier(&self) -> Result<EventBarrier, StoreError>;
    /// Whether all transactions have ended that ran when the barrier was made.
    async fn is_complete(&self, barrier: &EventBarrier) -> Result<bool, StoreError>;
}
