//! Exchanges with operators.

use super::{SqliteStore, record::Record};
use crate::rows;
use async_trait::async_trait;
use rusqlite::{Connection, params};
use tua_domain::{
    TransactionId,
    exchange::Exchange,
    ports::{ExchangeLog, StoreError},
};

#[async_trait]
impl ExchangeLog for SqliteStore {
    async fn insert_exchanges(&self, exchanges: Vec<Exchange>) -> Result<(), StoreError> {
        self.writer
            .write(move |db| exchanges.iter().try_for_each(|exchange| insert(db, exchange)))
            .await
    }

    async fn exchanges(&self, transaction: &TransactionId) -> Result<Vec<Exchange>, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached(
                "SELECT * FROM operator_exchanges WHERE transaction_id = ?1 ORDER BY at, id",
            )?
            .query_map([transaction.as_str()], |row| rows::exchange(&Record::new(row)))?
            .collect()
        })
    }
}

/// Inserts an exchange, unless its transaction does not exist.
pub(super) fn insert(db: &Connection, exchange: &Exchange) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO operator_exchanges (id, transaction_id, operator, at, method, path, \
         http_status, duration_ms,
             request, response)
         SELECT ?1, id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM transactions WHERE id = ?2",
    )?
    .execute(params![
        exchange.id,
        exchange.transaction.as_str(),
        exchange.operator,
        exchange.at.as_millisecond(),
        exchange.method,
        exchange.path,
        exchange.status,
        exchange.duration_ms,
        exchange.request,
        exchange.response,
    ])
    .map(drop)
}
