//! The orders of the sandbox operator.

use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_operators::sandbox::orders::Received;
use tua_sql::{rows, sqlite::record::Record};

/// Inserts an order; the first order with a reference wins.
pub(super) fn insert(db: &Connection, received: &Received) -> Result<()> {
    let order = &received.order;
    db.prepare_cached(
        "INSERT INTO sandbox_orders (reference, kind, network, phone, amount, merchant, message, \
         received_at, is_refund)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (reference) DO NOTHING",
    )?
    .execute(params![
        order.reference,
        order.transfer.kind.as_str(),
        order.transfer.network.as_str(),
        order.transfer.phone.as_str(),
        order.transfer.amount.pesewas(),
        order.merchant,
        order.message,
        received.at.as_millisecond(),
        received.is_refund,
    ])
    .map(drop)
}

pub(super) fn by_reference(db: &Connection, reference: &str) -> Result<Option<Received>> {
    db.prepare_cached("SELECT * FROM sandbox_orders WHERE reference = ?1")?
        .query_row([reference], |row| rows::received(&Record::new(row)))
        .optional()
}
