//! The store for many nodes: PostgreSQL, or what speaks its protocol.
//!
//! Races that one writing thread decides in SQLite are decided by row locks here: an attempt by the
//! unique key that it inserts, one charge of a session by its session's row, an observation by its
//! transaction's row. Whatever is answered is on disk (`synchronous_commit`).

mod accounts;
mod batcher;
mod begin;
mod buckets;
mod checkouts;
mod connect;
pub(super) mod copy;
mod db;
mod deliveries;
mod doubt;
mod engine;
mod error;
mod follow;
mod idempotency;
pub mod inspect;
mod leases;
mod listing;
mod migrate;
mod nodes;
mod outbox;
mod outbox_engine;
mod patience;
mod prune;
mod record;
mod reviews;
mod sandbox;
mod server_key;
mod session;
mod together;
mod transactions;
mod url;
mod webhooks;

use crate::{
    domain::{AccountId, TransactionId},
    metrics::StoreMetrics,
    operators::sandbox::memory::{Memory, Received},
    secret::SecretDigest,
};
use batcher::Batcher;
use begin::Beginning;
use checkouts::Opening;
use connect::Connector;
use deliveries::Attempting;
use follow::Following;
use idempotency::Recall;
use sandbox::Reference;
use session::Sessions;
use std::fmt;
use together::{Looked, Written};
pub use url::PostgresUrl;

/// The store on PostgreSQL.
pub struct PostgresStore {
    name: String,
    connector: Connector,
    sessions: Sessions,
    // What every payment asks for, together with others.
    callers: Batcher<Looked<SecretDigest>>,
    accounts: Batcher<Looked<AccountId>>,
    attempts: Batcher<Looked<Recall>>,
    transactions: Batcher<Looked<TransactionId>>,
    openings: Batcher<Written<Opening>>,
    beginnings: Batcher<Written<Beginning>>,
    followings: Batcher<Written<Following>>,
    orders: Batcher<Written<Received>>,
    recalls: Batcher<Looked<Reference>>,
    attemptings: Batcher<Written<Attempting>>,
}

impl PostgresStore {
    /// Connects, and brings the tables up to date.
    ///
    /// # Errors
    /// One line that names the database, without its password, and says what is wrong.
    pub async fn open(url: &PostgresUrl, metrics: StoreMetrics) -> Result<Self, String> {
        let name = url.to_string();
        let named = |fault: String| format!("database {name}: {fault}");
        let connector = Connector::new(url).map_err(named)?;
        migrate::migrate(&connector).await.map_err(named)?;
        let sessions = Sessions { pool: connector.pool().map_err(named)?, metrics };
        Ok(Self {
            connector,
            name: name.clone(),
            callers: Batcher::new(&sessions),
            accounts: Batcher::new(&sessions),
            attempts: Batcher::new(&sessions),
            transactions: Batcher::new(&sessions),
            openings: Batcher::new(&sessions),
            beginnings: Batcher::new(&sessions),
            followings: Batcher::new(&sessions),
            orders: Batcher::new(&sessions),
            recalls: Batcher::new(&sessions),
            attemptings: Batcher::new(&sessions),
            sessions,
        })
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresStore({})", self.name)
    }
}

const _: fn(&PostgresStore) -> &dyn Memory = |store| store;
