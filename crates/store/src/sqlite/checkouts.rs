//! Checkout sessions.

use jiff::Timestamp;
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

pub(super) fn by_id(db: &Connection, id: &CheckoutId) -> Result<Option<Checkout>> {
    db.prepare_cached(concat!(select_checkouts!(""), " WHERE checkouts.id = ?1"))?
        .query_row([id.as_str()], |row| rows::checkout(&Record::new(row)))
        .optional()
}

/// Until when a session that must exist takes charges.
pub(super) fn charge_window(db: &Connection, id: &CheckoutId) -> Result<ChargeWindow> {
    db.prepare_cached("SELECT expires_at, closed_at, expiry_due FROM checkouts WHERE id = ?1")?
        .query_row([id.as_str()], |row| rows::charge_window(&Record::new(row)))
}

/// Counted from the session's charges: at most five rows.
pub(super) fn standing(db: &Connection, id: &CheckoutId) -> Result<CheckoutSummary> {
    charges(db, id).map(CheckoutSummary::of)
}

/// The charges of a session, oldest first.
pub(super) fn charges(db: &Connection, id: &CheckoutId) -> Result<Vec<Transaction>> {
    db.prepare_cached("SELECT * FROM transactions WHERE checkout_id = ?1 ORDER BY id")?
        .query_map([id.as_str()], |row| rows::transaction(&Record::new(row)))?
        .collect()
}

/// Returns expired sessions whose expiry is due, and clears their due time, so that each is
/// returned once.
pub(super) fn take_expired(db: &Connection, now: Timestamp, limit: u32) -> Result<Vec<Checkout>> {
    let due: Vec<String> = db
        .prepare_cached(
            "SELECT id FROM checkouts WHERE expiry_due <= ?1 ORDER BY expiry_due LIMIT ?2",
        )?
        .query_map((now.as_millisecond(), limit), |row| row.get(0))?
        .collect::<Result<_>>()?;
    let mut settle = db.prepare_cached("UPDATE checkouts SET expiry_due = NULL WHERE id = ?1")?;
    let mut taken = Vec::new();
    for id in due {
        settle.execute([&id])?;
        taken.extend(by_id(db, &CheckoutId::new(id))?);
    }
    Ok(taken)
}

/// Postpones the expiry of a session.
pub(super) fn expire_later(db: &Connection, id: &CheckoutId, at: Timestamp) -> Result<()> {
    db.prepare_cached("UPDATE checkouts SET expiry_due = ?2 WHERE id = ?1")?
        .execute((id.as_str(), at.as_millisecond()))
        .map(drop)
}

/// Marks a session as unused: it has no charge, so it is deleted after its retention period.
pub(super) fn mark_unused(db: &Connection, checkout: &Checkout) -> Result<()> {
    db.prepare_cached("UPDATE checkouts SET unused_since = ?2 WHERE id = ?1")?
        .execute((checkout.id.as_str(), checkout.expires_at.as_millisecond()))
        .map(drop)
}
