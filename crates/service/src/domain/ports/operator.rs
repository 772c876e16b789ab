//! The networks' operators, behind one trait.
//!
//! An operator connector translates: our order into their request, their answer into an
//! [`Observation`]. It decides nothing about a transaction and stores nothing about one; the
//! sandbox's own memory stands for the operator's house, not for ours.

use crate::domain::{Mode, Transfer};
use async_trait::async_trait;
use std::{fmt::Debug, sync::Arc};
use tua_contract::{Code, Network, lifecycle::Observation};

/// What an operator is asked to do.
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

/// What an operator says when asked about a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It has the order, and this is how it stands.
    Known(Observation),
    /// Explicitly: it never received the order.
    NeverReceived,
    /// A time-out, a 5xx, a broken connection: nothing was learned.
    Unanswered,
}

/// What an operator says about a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeAnswer {
    /// It took the code, and this is how the order stands.
    Accepted(Observation),
    /// The code is not right.
    Wrong,
    /// Whether it took the code is not known.
    Unanswered,
}

/// Whether an order can no longer move money.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cancelled {
    /// The operator's word that it cannot.
    Yes,
    /// It still could, or the operator did not say.
    No,
}

/// A mobile-money operator, or an aggregator that speaks for some.
#[async_trait]
pub trait Operator: Debug + Send + Sync + 'static {
    /// Whether a second order under the same reference is refused, never executed. Only then
    /// is an order that the operator says it never received sent again.
    fn refuses_repeats(&self) -> bool;

    /// Sends an order. A time-out, a 5xx or a broken connection is [`Observation::Ambiguous`],
    /// never a failure.
    async fn send(&self, order: &Order) -> Observation;

    /// Passes on a code that the payer entered.
    async fn submit_code(&self, reference: &str, code: &Code) -> CodeAnswer;

    /// Asks how an order stands.
    async fn ask(&self, reference: &str) -> Answer;

    /// Asks that an order can no longer move money.
    async fn cancel(&self, reference: &str) -> Cancelled;
}

/// Which operator serves whom.
#[derive(Clone, Debug, Default)]
pub struct Operators {
    test: Option<Arc<dyn Operator>>,
    live: Vec<(Network, Arc<dyn Operator>)>,
}

impl Operators {
    /// Test mode runs on this operator, for every network.
    #[must_use]
    pub fn with_test(mut self, operator: Arc<dyn Operator>) -> Self {
        self.test = Some(operator);
        self
    }

    /// Live mode runs on this operator for one network.
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
