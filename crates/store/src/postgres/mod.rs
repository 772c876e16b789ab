//! The store on PostgreSQL, which several nodes can share.
//!
//! Row locks decide the races that the single writer thread decides in SQLite: a unique key for
//! requests with an idempotency key, the session's row for charges of one checkout, the
//! transaction's row for observations. Every acknowledged write is durable (`synchronous_commit`).

mod accounts;
mod acknowledge;
mod apply_event;
mod batch_ops;
mod batcher;
mod buckets;
mod callers;
mod checkouts;
mod connect;
pub(super) mod copy;
mod day_totals;
mod deliveries;
mod exchanges;
mod idempotency;
mod in_doubt;
mod insert_checkout;
mod insert_payment;
pub mod inspect;
mod leases;
mod ledger;
mod links;
mod migrate;
mod nodes;
mod notices;
mod outbox;
mod payment_sql;
mod payout_controls;
mod pooler;
mod ports;
mod prune;
mod receipts;
mod record;
mod refunds;
mod retry;
mod sandbox;
mod shared_queries;
mod store;
mod transaction_rows;
mod transactions;
mod tx_runner;
mod url;
mod webhooks;

pub use store::PostgresStore;
pub use url::PostgresUrl;
