//! Exchanges with operators in SQLite, as evidence.

use rusqlite::{Connection, params};
use tua_domain::exchange::Exchange;

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
