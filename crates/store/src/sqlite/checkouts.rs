//! What is read of checkout sessions on the way of every payment.

use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{Checkout, CheckoutId, CheckoutSummary, Transaction, checkout::ChargeWindow};
use tua_sql::{
    rows::{self, select_checkouts},
    sqlite::record::Record,
};

pub(super) fn by_token(db: &Connection, token: &[u8; 32]) -> Result<Option<Checkout>> {
    db.prepare_cached(concat!(select_checkouts!(""), " WHERE token_digest = ?1"))?
        .query_row([token], |row| rows::checkout(&Record::new(row)))
        .optional()
}

/// Until when a session that must exist takes charges.
pub(super) fn charge_window(db: &Connection, id: &CheckoutId) -> Result<ChargeWindow> {
    db.prepare_cached("SELECT expires_at, closed_at, expiry_due FROM checkouts WHERE id = ?1")?
        .query_row([id.as_str()], |row| rows::charge_window(&Record::new(row)))
}

/// Counted from the session's charges: at most five rows.
pub(super) fn summary(db: &Connection, id: &CheckoutId) -> Result<CheckoutSummary> {
    charges(db, id).map(CheckoutSummary::of)
}

/// The charges of a session, oldest first.
pub(super) fn charges(db: &Connection, id: &CheckoutId) -> Result<Vec<Transaction>> {
    db.prepare_cached("SELECT * FROM transactions WHERE checkout_id = ?1 ORDER BY id")?
        .query_map([id.as_str()], |row| rows::transaction(&Record::new(row)))?
        .collect()
}
