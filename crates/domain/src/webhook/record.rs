//! The record of a scope's events, which `GET /v1/events` reads (docs/reference/webhooks.md).
//!
//! It is an endpoint without an address. The store inserts a delivery for it in the transaction of
//! each event, as for every endpoint, and nothing is sent. Events from before it begins
//! are computed (`past_events`).

use super::EventType;
use crate::{DeliveryId, EndpointId, Scope, TransactionId};
use jiff::Timestamp;

/// The identifier of a scope's record. Each scope has one at most, so its account and mode name it.
#[must_use]
pub fn record_id(scope: &Scope) -> EndpointId {
    EndpointId::new(format!("events_{}_{}", scope.mode.as_str(), scope.account.as_str()))
}

/// Whether a record has the events from before it began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordState {
    /// Some may be missing: of transactions that ran when it began, or all of them.
    Incomplete,
    /// No event of the account is missing.
    Complete,
}

/// What an event must match. The default matches all events.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventFilter {
    /// Only events of these types; none for every type.
    pub types: Vec<EventType>,
    /// Only events of this charge, payout or refund.
    pub transaction: Option<TransactionId>,
    /// Only events at this time or later.
    pub from: Option<Timestamp>,
    /// Only events before this time.
    pub before: Option<Timestamp>,
}

/// Which part of the record is read, and in which order. Positions are the deliveries to the
/// record, whose identifiers sort by the time of their creation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventRange {
    /// Newest first: events before this position, or the newest ones.
    NewestFirst(Option<DeliveryId>),
    /// The oldest event comes first.
    OldestFirst {
        /// Only events after this position. `None` begins with the oldest event.
        after: Option<DeliveryId>,
        /// Only events before this position. `None` ends with the newest event.
        before: Option<DeliveryId>,
    },
}

/// A point of the record that is complete once all transactions have ended that ran when it was
/// made. A transaction that commits later cannot add an event before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventBarrier {
    /// Events before this position are complete then.
    pub position: DeliveryId,
    /// What the store compares with the transactions that run. `None` if the record is complete
    /// already.
    pub transaction: Option<String>,
}
