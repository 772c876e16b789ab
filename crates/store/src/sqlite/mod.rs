//! The embedded store: one SQLite file in WAL mode, with one writer thread.
//!
//! `synchronous=FULL`: acknowledged writes survive `kill -9` and a power failure.

mod accounts;
pub mod backup;
mod buckets;
mod checkouts;
mod checkpoint;
mod commit_error;
pub(crate) mod connection;
mod day_totals;
mod error;
mod exchanges;
mod idempotency;
mod identity;
mod insert_checkout;
pub mod inspect;
mod leases;
mod ledger;
mod links;
pub(crate) mod migrations;
mod notices;
mod outbox;
mod payment_sql;
mod pool;
mod ports;
mod prune;
mod sandbox;
mod scrub;
mod shared_queries;
mod store;
mod transaction_rows;
mod transactions;
mod webhooks;
mod writer;

pub use store::SqliteStore;
