//! The store for many nodes: PostgreSQL, or what speaks its protocol.
//!
//! Races that one writing thread decides in SQLite are decided by row locks here: an attempt by the
//! unique key that it inserts, one charge of a session by its session's row, an observation by its
//! transaction's row. Whatever is answered is on disk (`synchronous_commit`).

mod accounts;
mod buckets;
mod checkouts;
mod connect;
pub(super) mod copy;
mod engine;
mod error;
mod idempotency;
pub mod inspect;
mod leases;
mod listing;
mod migrate;
mod nodes;
mod outbox;
mod outbox_engine;
mod prune;
mod record;
mod reviews;
mod sandbox;
mod server_key;
mod session;
mod transactions;
mod url;
mod webhooks;

use crate::{metrics::StoreMetrics, operators::sandbox::memory::Memory};
use connect::Connector;
use session::Sessions;
use std::fmt;
pub use url::PostgresUrl;

/// The store on PostgreSQL.
pub struct PostgresStore {
    name: String,
    connector: Connector,
    sessions: Sessions,
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
        Ok(Self { connector, sessions, name: name.clone() })
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresStore({})", self.name)
    }
}

const _: fn(&PostgresStore) -> &dyn Memory = |store| store;
