//! The settings of an emulator. What one operator alone takes, and its credentials, are types in
//! the operator's folder.

use crate::{
    chaos::Rule,
    clock::{ClockMode, Speed},
    operator::Operator,
    per_operator::PerOperator,
};
use std::collections::HashMap;

/// The merchant's balance on each platform without a setting: 10,000,000.00 in its currency.
const INITIAL_FLOAT_PESEWAS: i64 = 1_000_000_000;

/// The credentials that the emulator accepts: one value of each type such as
/// [`PaystackCredentials`](crate::PaystackCredentials). They are constants in public source code
/// and protect nothing.
pub type Credentials = PerOperator;

/// The settings of an emulator.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How the virtual clock moves. Default: real time.
    pub clock: ClockMode,
    /// The merchant's addresses for callbacks, which some operators take in their dashboards.
    /// Others take an address with each request; of these, the host of this one may be the
    /// registered host. Default: none.
    pub callback_urls: HashMap<Operator, String>,
    /// The credentials that are accepted at the start.
    pub credentials: Credentials,
    /// What one operator alone takes: one value of each type such as
    /// [`PaystackSettings`](crate::PaystackSettings).
    pub operators: PerOperator,
    /// The merchant's balance on each platform at the start, in pesewas. Payouts and refunds are
    /// taken from it.
    pub float_pesewas: i64,
    /// Whether an operator that refuses a payout without enough money looks at the balance before
    /// it looks for an order with the same reference, so that a repeated payout may be refused as
    /// not covered although the first one was executed. Default: false.
    pub balance_checked_first: bool,
    /// The faults that apply from the start.
    pub chaos: Vec<Rule>,
    /// Whether callbacks may leave this machine. Default: false, then they are sent to loopback
    /// addresses only.
    pub allow_other_hosts: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            clock: ClockMode::Running(Speed::REAL_TIME),
            callback_urls: HashMap::new(),
            credentials: Credentials::default(),
            operators: PerOperator::default(),
            float_pesewas: INITIAL_FLOAT_PESEWAS,
            balance_checked_first: false,
            chaos: Vec::new(),
            allow_other_hosts: false,
        }
    }
}
