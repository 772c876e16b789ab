//! What is measured of payments, and of sign-ins to the dashboard.

use crate::Transaction;
use std::{fmt::Debug, time::Duration};
use tua_contract::State;

/// Counts what happens to payments.
pub trait PaymentMetrics: Debug + Send + Sync + 'static {
    /// A transaction was begun.
    fn transaction_begun(&self, transaction: &Transaction);

    /// A transaction changed: it left the state `before`, or its operator contradicted or reversed
    /// that state.
    fn transaction_changed(&self, transaction: &Transaction, before: State);

    /// An operator was called. `operator` is its name in the settings, the id of one that people
    /// connected, or `sandbox`: never a name that people typed. `operation` and `outcome` are from
    /// short, fixed lists (see [`super::OutcomeLabel`]).
    fn operator_called(
        &self,
        operator: &str,
        transaction: &Transaction,
        operation: &'static str,
        outcome: &'static str,
        duration: Duration,
    );

    /// A new payment or session was refused under overload.
    fn request_shed(&self);
}

/// Counts what happens at the sign-in of the dashboard.
pub trait SignInMetrics: Debug + Send + Sync + 'static {
    /// An attempt to sign in, or to prove a session again, was refused. `reason` is from a short,
    /// fixed list.
    fn sign_in_refused(&self, reason: &'static str);
}
