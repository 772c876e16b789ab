//! The sandbox's orders, and the port through which a store persists them.

use async_trait::async_trait;
use jiff::Timestamp;
use std::{fmt::Debug, ops::Range};
use tua_domain::{
    ports::{Order, StoreError},
    string_enum,
};

string_enum! {
    /// The decision on the simulated phone.
    pub enum Decision {
        /// The payer approves: the charge succeeds.
        Approve = "approve",
        /// The payer declines: the charge fails.
        Decline = "decline",
    }
}

/// An order that the sandbox has received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    /// The order; that of a refund is a payout to the payer of the charge.
    pub order: Order,
    /// Whether it refunds a charge.
    pub is_refund: bool,
    /// When it was received.
    pub at: Timestamp,
    /// When the right code was received.
    pub code_accepted_at: Option<Timestamp>,
    /// The decision on the simulated phone, and its time.
    pub decided: Option<(Decision, Timestamp)>,
    /// When it was cancelled.
    pub cancelled_at: Option<Timestamp>,
}

impl Received {
    /// An order that is received at this time.
    #[must_use]
    pub const fn new(order: Order, at: Timestamp) -> Self {
        Self {
            order,
            is_refund: false,
            at,
            code_accepted_at: None,
            decided: None,
            cancelled_at: None,
        }
    }

    /// The same as a refund.
    #[must_use]
    pub fn as_refund(self) -> Self {
        Self { is_refund: true, ..self }
    }
}

/// Persists the sandbox's orders. Implemented by the stores.
#[async_trait]
pub trait SandboxOrders: Debug + Send + Sync + 'static {
    /// Inserts an order, unless there is one with the same reference; returns whether it was
    /// inserted. It is committed before or with the acknowledgement, which is written after this
    /// returns: an order that was acknowledged is never sent again. Only a write that fails by
    /// itself, on a damaged page, say, can come later.
    ///
    /// # Errors
    /// Those of the store, here and below.
    async fn insert_order(&self, received: Received) -> Result<bool, StoreError>;

    /// The order with a reference.
    async fn find_order(&self, reference: &str) -> Result<Option<Received>, StoreError>;

    /// Records that the right code was received. `None` where the order is unknown or cancelled.
    async fn accept_code(
        &self,
        reference: &str,
        at: Timestamp,
    ) -> Result<Option<Received>, StoreError>;

    /// Records a decision on the simulated phone; only the first one counts.
    async fn decide(
        &self,
        reference: &str,
        decision: Decision,
        at: Timestamp,
    ) -> Result<Option<Received>, StoreError>;

    /// Cancels an order. Returns whether it can no longer move money.
    async fn cancel(&self, reference: &str, at: Timestamp) -> Result<bool, StoreError>;

    /// The orders received since `at`, newest first, at most 100.
    async fn orders_since(&self, at: Timestamp) -> Result<Vec<Received>, StoreError>;

    /// The orders received in a time, oldest first, at most so many.
    async fn orders_received(
        &self,
        time: Range<Timestamp>,
        limit: u32,
    ) -> Result<Vec<Received>, StoreError>;
}
