//! What the sandbox was told, kept across restarts.

use crate::domain::{
    ports::{Order, StoreError},
    string_enum::string_enum,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

string_enum! {
    /// What the visitor of the simulated phone tapped.
    pub enum Decision {
        /// Pay.
        Approve = "approve",
        /// Do not pay.
        Decline = "decline",
    }
}

/// An order as the sandbox has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    /// The order itself.
    pub order: Order,
    /// When it came.
    pub at: Timestamp,
    /// When the right code came, if it did.
    pub code_accepted_at: Option<Timestamp>,
    /// What was tapped on the simulated phone, and when.
    pub decided: Option<(Decision, Timestamp)>,
    /// Since when it can no longer move money.
    pub cancelled_at: Option<Timestamp>,
}

impl Received {
    /// An order that has just come.
    #[must_use]
    pub const fn new(order: Order, at: Timestamp) -> Self {
        Self { order, at, code_accepted_at: None, decided: None, cancelled_at: None }
    }
}

/// Where the sandbox keeps its orders.
#[async_trait]
pub trait Memory: Debug + Send + Sync + 'static {
    /// Keeps an order, unless one came first under the same reference. It is kept before anything
    /// that is stored after this returns, though maybe not on disk yet: an order that a crash
    /// takes with it was never received, and is sent again. `kept` is called once it can be recalled.
    ///
    /// # Errors
    /// The store's own, here and below.
    async fn keep(&self, received: Received, kept: Box<dyn FnOnce() + Send>) -> Result<(), StoreError>;

    /// The order under a reference.
    async fn recall(&self, reference: &str) -> Result<Option<Received>, StoreError>;

    /// Notes that the right code came. Nothing where the order is unknown or cancelled.
    async fn accept_code(&self, reference: &str, at: Timestamp) -> Result<Option<Received>, StoreError>;

    /// Notes a tap on the simulated phone, the first one only.
    async fn decide(&self, reference: &str, decision: Decision, at: Timestamp) -> Result<Option<Received>, StoreError>;

    /// Cancels, and says whether the order can no longer move money.
    async fn cancel(&self, reference: &str, at: Timestamp) -> Result<bool, StoreError>;

    /// The orders that came since, newest first, a hundred at the most.
    async fn since(&self, at: Timestamp) -> Result<Vec<Received>, StoreError>;
}
