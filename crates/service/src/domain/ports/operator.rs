//! The mobile-money operators, behind one trait.
//!
//! An operator connector translates: our order into their request, their answer into an
//! [`Observation`]. It decides nothing about a transaction and stores nothing about one; the
//! sandbox stores its orders, as an operator does.

use super::SendPermit;
use crate::domain::{Mode, Transfer};
use async_trait::async_trait;
use std::{fmt::Debug, sync::Arc, time::Duration};
use tua_contract::{Code, Network, lifecycle::Observation};

/// A collection or payout that an operator is asked to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Our name for it, made and stored before the operator is called.
    pub reference: String,
    /// The money.
    pub transfer: Transfer,
    /// The merchant's name, as the payer may read it.
    pub merchant: String,
    /// A message that the payer may read.
    pub message: Option<String>,
}

/// An operator's response to an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendResponse {
    /// The order's status. A timeout, a 5xx or a broken connection is [`Observation::Ambiguous`], never a failure.
    Observed(Observation),
    /// The operator refuses the order because it has one with this reference already. That is never a failure of the
    /// payment: the operator is asked for the status, and the order is not sent again.
    Duplicate,
    /// Certainly no byte of the order was written: the permit had expired, or the connection was refused.
    NotSent,
}

impl From<Observation> for SendResponse {
    fn from(observation: Observation) -> Self {
        Self::Observed(observation)
    }
}

/// An operator's response about the status of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It has the order, with this status.
    Known(Observation),
    /// It reports explicitly that it never received the order.
    NeverReceived,
    /// A timeout, a 5xx or a broken connection: the status is not known.
    Unanswered,
}

/// An operator's response to a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeAnswer {
    /// It accepted the code; the order has this status.
    Accepted(Observation),
    /// The code is not right.
    Wrong,
    /// It is not known whether it accepted the code.
    Unanswered,
}

/// Whether an order can no longer move money.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cancelled {
    /// The operator confirmed that it cannot.
    Yes,
    /// It still can, or the operator did not respond.
    No,
}

/// A mobile-money operator, or an aggregator of operators.
#[async_trait]
pub trait Operator: Debug + Send + Sync + 'static {
    /// Whether the operator documents that it refuses a second order with the same reference, and never executes it.
    /// Only then an order that it reports as never received is sent again.
    fn refuses_repeats(&self) -> bool;

    /// The time after which the operator documents that [`Answer::NeverReceived`] is final, counted from the deadline
    /// of the last send. `None` where it documents no such time; then people decide.
    fn never_received_is_final_after(&self) -> Option<Duration>;

    /// Sends an order. Right before its first byte is written, the connector checks [`SendPermit::is_valid`].
    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse;

    /// Submits a code that the payer entered.
    async fn submit_code(&self, reference: &str, code: &Code) -> CodeAnswer;

    /// Asks for the status of an order.
    async fn ask(&self, reference: &str) -> Answer;

    /// Cancels an order, so that it can no longer move money.
    async fn cancel(&self, reference: &str) -> Cancelled;
}

/// The operators by mode and network.
#[derive(Clone, Debug, Default)]
pub struct Operators {
    test: Option<Arc<dyn Operator>>,
    live: Vec<(Network, Arc<dyn Operator>)>,
}

impl Operators {
    /// Serves test mode with this operator, for every network.
    #[must_use]
    pub fn with_test(mut self, operator: Arc<dyn Operator>) -> Self {
        self.test = Some(operator);
        self
    }

    /// Serves one network of live mode with this operator.
    #[must_use]
    pub fn with_live(mut self, network: Network, operator: Arc<dyn Operator>) -> Self {
        self.live.push((network, operator));
        self
    }

    /// The operator for a mode and network. Live mode is never served by the test operator.
    #[must_use]
    pub fn serving(&self, mode: Mode, network: Network) -> Option<&Arc<dyn Operator>> {
        match mode {
            Mode::Test => self.test.as_ref(),
            Mode::Live => self.live.iter().find(|(serves, _)| *serves == network).map(|(_, operator)| operator),
        }
    }
}
