//! The port for orders that are handed over to operators.

use super::{DueTransaction, HandOver, Route, StoreError};
use crate::{Transaction, TransactionId};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{fmt::Debug, time::Duration};

/// The part of the store for orders that are handed over to operators.
#[async_trait]
pub trait HandOvers: Debug + Send + Sync + 'static {
    /// Marks the order of a transaction as handed over and schedules the first query, before a byte
    /// of the order is sent. Against a simultaneous cancellation, expiry or hand-over, exactly one
    /// wins ([`crate::rules::hand_over`]). `waited` is how long this process has known that
    /// the order waits.
    async fn hand_over(
        &self,
        id: &TransactionId,
        route: Route,
        first_query_at: Timestamp,
        now: Timestamp,
        waited: Duration,
    ) -> Result<HandOver, StoreError>;
    /// Clears the mark of a transaction as [`Self::hand_over`] or [`super::Transactions::begin`]
    /// returned it, because no byte of its order was written. The order is due to be sent again at
    /// `send_at`. Does nothing if the order may have been sent meanwhile, or if anything else has
    /// changed. Returns whether the mark was cleared.
    async fn withdraw_hand_over(
        &self,
        marked: &Transaction,
        send_at: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Permits to send an order again until `deadline`, and stores the permission. Returns the
    /// deadline as it is stored, which is later than any before. `None` where it is not permitted:
    /// only while the lease of `due` is valid, and the transaction is pending, handed over, never
    /// acknowledged and not flagged; a refund also only while its charge can be refunded.
    async fn permit_repeated_send(
        &self,
        due: &DueTransaction,
        deadline: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError>;
}
