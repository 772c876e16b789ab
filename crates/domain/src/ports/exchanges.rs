//! Exchanges with operators: where connectors report them, and where they are kept.

use super::StoreError;
use crate::{TransactionId, exchange::Exchange};
use async_trait::async_trait;
use std::fmt::Debug;

/// Takes exchanges, which are stored later: evidence must not slow down payments. A crash may lose
/// those of the last second.
pub trait ExchangeRecorder: Debug + Send + Sync + 'static {
    /// Takes an exchange without waiting for its storage. It may be dropped under load.
    fn record(&self, exchange: Exchange);
}

/// The part of the store for exchanges.
#[async_trait]
pub trait ExchangeLog: Debug + Send + Sync + 'static {
    /// Inserts exchanges. Those whose transaction does not exist are dropped.
    async fn insert_exchanges(&self, exchanges: Vec<Exchange>) -> Result<(), StoreError>;
    /// The exchanges about a transaction, oldest first.
    async fn exchanges(&self, transaction: &TransactionId) -> Result<Vec<Exchange>, StoreError>;
}
