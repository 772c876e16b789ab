//! A server that speaks the wire protocols of MTN MoMo, Paystack, pawaPay v2 and Hubtel, for
//! rehearsals and tests.
//!
//! It moves no money, and depends on nothing of the service: a client that was written for the real
//! operators works against it unchanged. The README of this package lists the paths, the test
//! numbers and the faults.

mod callback;
mod chaos;
mod chaos_handle;
mod clock;
mod control;
mod counters;
mod decision;
mod delivery;
mod emulator;
mod event;
mod extract;
mod guard;
mod hubtel;
mod lifecycle;
mod mtn_momo;
mod operator;
mod order;
mod orders;
mod page;
mod pawapay;
mod paystack;
mod per_operator;
mod phase;
mod protocol;
mod protocols;
mod routes;
mod rule_syntax;
mod running;
mod scheduler;
mod script;
mod server;
mod settings;
mod state;
mod statement;
mod wire;

pub use chaos::{Fault, Rule};
pub use chaos_handle::ChaosHandle;
pub use clock::{ClockMode, Speed};
pub use counters::Counters;
pub use decision::{Decision, DecisionError, DisputeEvent};
pub use emulator::{Emulator, StartError};
pub use hubtel::HubtelCredentials;
pub use mtn_momo::{MtnCallbacks, MtnCredentials, MtnProductCredentials, MtnProfile, MtnSettings};
pub use operator::{Call, Operator};
pub use order::OrderRow;
pub use pawapay::{
    Operation, PawapayCredentials, PawapaySettings, ProviderStatus, SignatureEncoding,
};
pub use paystack::{PaystackCredentials, PaystackSettings};
pub use per_operator::PerOperator;
pub use phase::{Failure, Kind, State};
pub use rule_syntax::RuleError;
pub use running::Running;
pub use scheduler::ClockHandle;
pub use settings::{Credentials, Settings};
