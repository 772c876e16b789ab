//! Connectors to the networks' operators, behind [`crate::domain::ports::Operator`].
//!
//! A connector translates: our order into the operator's request, the operator's response into an
//! [`tua_contract::lifecycle::Observation`]. It decides nothing about a transaction and stores nothing about one.

pub mod connection;
pub mod sandbox;
pub mod settings;

use crate::domain::routing::Operators;

/// Which of an operator's installations the settings name: `environment` in the settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Environment {
    /// Real money.
    Production,
    /// The operator's own test environment, without real money.
    Sandbox,
}

/// The operators of live mode. There are none yet, so live payments are refused.
#[must_use]
pub fn live() -> Operators {
    Operators::default()
}
