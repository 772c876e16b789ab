//! The store on PostgreSQL, which several nodes can share.
//!
//! Row locks decide the races that the single writer thread decides in SQLite: a unique key for
//! requests with an idempotency key, the session's row for charges of one checkout, the
//! transaction's row for observations. Every acknowledged write is durable (`synchronous_commit`).

mod accounts;
mod apply_event;
mod approvals;
mod batch_ops;
mod batcher;
mod buckets;
mod callbacks;
mod checkouts;
mod closing;
mod connect;
pub(super) mod copy;
mod day_totals;
mod db;
mod deliveries;
mod engine;
mod error;
mod exchanges;
mod hand_over;
mod idempotency;
mod in_doubt;
mod insert_payment;
pub mod inspect;
mod leases;
mod ledger;
mod links;
mod migrate;
mod nodes;
mod outbox;
mod outbox_engine;
mod payment_sql;
mod payout_batches;
mod payout_controls;
mod pooler;
mod prune;
mod receipts;
mod record;
mod refunds;
mod retry;
mod sandbox;
mod scrub;
mod shared_queries;
mod sql;
mod transaction_rows;
mod transactions;
mod tx_runner;
mod url;
mod webhooks;

use apply_event::ApplyEvent;
use batch_ops::{BatchRead, BatchWrite};
use batcher::Batcher;
use checkouts::InsertCheckout;
use connect::Connector;
use deliveries::RecordAttempt;
use idempotency::FindRecord;
use insert_payment::InsertPayment;
use sandbox::Reference;
use std::fmt;
use tua_domain::{AccountId, TransactionId, secret::SecretDigest};
use tua_metrics::StoreMetrics;
use tua_operators::sandbox::orders::{Received, SandboxOrders};
use tx_runner::TxRunner;
pub use url::PostgresUrl;

/// The store on PostgreSQL.
pub struct PostgresStore {
    name: String,
    connector: Connector,
    tx: TxRunner,
    // Requests of every payment, executed in batches.
    callers: Batcher<BatchRead<SecretDigest>>,
    accounts: Batcher<BatchRead<AccountId>>,
    attempts: Batcher<BatchRead<FindRecord>>,
    transactions: Batcher<BatchRead<TransactionId>>,
    insert_checkout: Batcher<BatchWrite<InsertCheckout>>,
    insert_payment: Batcher<BatchWrite<InsertPayment>>,
    apply_event: Batcher<BatchWrite<ApplyEvent>>,
    insert_order: Batcher<BatchWrite<Received>>,
    find_received: Batcher<BatchRead<Reference>>,
    record_attempt: Batcher<BatchWrite<RecordAttempt>>,
}

impl PostgresStore {
    /// Connects, and migrates the schema.
    ///
    /// # Errors
    /// One line that names the database without its password, and the fault.
    pub async fn open(url: &PostgresUrl, metrics: StoreMetrics) -> Result<Self, String> {
        let name = url.to_string();
        let named = |fault: String| format!("database {name}: {fault}");
        let connector = Connector::new(url).map_err(named)?;
        migrate::migrate(&connector).await.map_err(named)?;
        let tx = TxRunner { pool: connector.pool().map_err(named)?, metrics };
        Ok(Self {
            connector,
            name: name.clone(),
            callers: Batcher::new(&tx),
            accounts: Batcher::new(&tx),
            attempts: Batcher::new(&tx),
            transactions: Batcher::new(&tx),
            insert_checkout: Batcher::new(&tx),
            insert_payment: Batcher::new(&tx),
            apply_event: Batcher::new(&tx),
            insert_order: Batcher::new(&tx),
            find_received: Batcher::new(&tx),
            record_attempt: Batcher::new(&tx),
            tx,
        })
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresStore({})", self.name)
    }
}

const _: fn(&PostgresStore) -> &dyn SandboxOrders = |store| store;
