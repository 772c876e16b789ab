//! What the service does, without HTTP, SQL or any operator's wire format.
//!
//! | module | does |
//! |---|---|
//! | [`account`] | accounts and their secret keys |
//! | [`checkout`] | opens sessions, and reads what a payer's component resumes from |
//! | [`idempotency`] | requests that may be sent again without harm |
//! | [`key_use`] | when secret keys were used last |
//! | [`poll_schedule`] | when an operator is asked about a pending transaction |
//! | [`listing`] | what to find in a list of transactions, and where a page goes on |
//! | [`pending`] | how long undecided transactions have waited, in steps |
//! | [`review`] | ends by hand what no operator decides |
//! | [`payment`] | begins charges and payouts: durable first, then the operator |
//! | [`verification`] | passes a passcode or voucher on, five times at the most |
//! | [`retention`] | what is forgotten, and when |
//! | [`settle`] | turns what operators say into what a transaction is |
//! | [`transaction`] | the transaction itself, derived from its events |

pub mod account;
pub mod admission;
pub mod change_notifier;
pub mod checkout;
pub mod id;
pub mod idempotency;
pub mod key_use;
pub mod listing;
pub mod payment;
pub mod pending;
pub mod persistent_bucket;
pub mod poll_schedule;
pub mod ports;
pub mod rate_limit;
pub mod retention;
pub mod review;
pub mod secret;
pub mod settle;
pub(crate) mod string_enum;
pub mod transaction;
pub mod verification;
pub mod webhook;

pub use account::{Account, Caller, Generation, Mode, Scope, SecretKey};
pub use checkout::{Checkout, CheckoutSummary};
pub use id::{AccountId, CheckoutId, DeliveryId, EndpointId, KeyId, TransactionId};
pub use transaction::{Event, Kind, NewTransaction, Transaction};
