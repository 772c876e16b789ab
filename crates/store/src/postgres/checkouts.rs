//! Checkout sessions.

use super::{
    batch_ops::{by_ordinality, column},
    record::at,
    transaction_rows,
};
use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{Checkout, CheckoutId, CheckoutSummary, Transaction, checkout::ChargeWindow};
use tua_sql::{
    postgres::{db::Db, error::Result},
    rows::{self, checkout_columns, select_checkouts},
};

/// Finds checkout sessions by the digests of their tokens.
pub(super) async fn by_tokens(db: &Db, digests: &[&[u8]]) -> Result<Vec<Option<Checkout>>> {
    let sql = concat!(
        select_checkouts!("n, "),
        " JOIN unnest($1::bytea[]) WITH ORDINALITY AS asked (asked, n) ON token_digest = asked"
    );
    by_ordinality(digests.len(), db.query(sql, &[&digests]).await?, |row| rows::checkout(&row))
}

pub(super) async fn by_id(db: &Db, id: &CheckoutId) -> Result<Option<Checkout>> {
    let found = db
        .query_opt(concat!(select_checkouts!(""), " WHERE checkouts.id = $1"), &[&id.as_str()])
        .await?;
    found.as_ref().map(rows::checkout).transpose()
}

/// Counted from the session's charges: at most five rows.
pub(super) async fn standing(db: &Db, id: &CheckoutId) -> Result<CheckoutSummary> {
    let charges = charges(db, &[id]).await?.remove(id).unwrap_or_default();
    Ok(CheckoutSummary::of(charges))
}

/// A session whose row is locked: no other transaction can add a charge, mark it paid or decide its
/// expiry.
pub(super) struct LockedCheckout {
    pub(super) window: ChargeWindow,
    /// Its charges, oldest first.
    pub(super) charges: Vec<Transaction>,
}

/// Locks sessions, and reads their charges.
pub(super) async fn lock(
    db: &Db,
    sessions: &[&CheckoutId],
) -> Result<HashMap<CheckoutId, LockedCheckout>> {
    if sessions.is_empty() {
        return Ok(HashMap::new());
    }
    let ids = column(sessions, |id| id.as_str());
    // Pipelined. Under READ COMMITTED a statement that waited for a lock returns the row as it was
    // committed then, and the second statement sees what was committed while the first waited.
    let sql = "SELECT id, expires_at, closed_at, expiry_due FROM checkouts WHERE id = ANY($1) \
        ORDER BY id FOR NO KEY UPDATE";
    let lock = async { db.query(sql, &[&ids]).await };
    let (locked, mut charges) = tokio::try_join!(biased; lock, charges(db, sessions))?;
    let mut sessions = HashMap::new();
    for row in locked {
        let id = CheckoutId::new(row.try_get::<_, String>("id")?);
        let charges = charges.remove(&id).unwrap_or_default();
        sessions.insert(id, LockedCheckout { window: rows::charge_window(&row)?, charges });
    }
    Ok(sessions)
}

/// The charges of checkout sessions, oldest first.
pub(super) async fn charges(
    db: &Db,
    sessions: &[&CheckoutId],
) -> Result<HashMap<CheckoutId, Vec<Transaction>>> {
    let ids = column(sessions, |id| id.as_str());
    let mut charges: HashMap<CheckoutId, Vec<Transaction>> = HashMap::new();
    for row in db.query(transaction_rows::OF_CHECKOUTS, &[&ids]).await? {
        let charge = rows::transaction(&row)?;
        if let Some(session) = charge.order.checkout.clone() {
            charges.entry(session).or_default().push(charge);
        }
    }
    Ok(charges)
}

/// Returns expired sessions whose expiry is due, and clears their due time, so that each is
/// returned once.
pub(super) async fn take_expired(db: &Db, now: Timestamp, limit: u32) -> Result<Vec<Checkout>> {
    let taken = db
        .query(
            concat!(
                "WITH due AS (SELECT id FROM checkouts WHERE expiry_due <= $1
                              ORDER BY expiry_due, id LIMIT $2 FOR NO KEY UPDATE)
                 UPDATE checkouts SET expiry_due = NULL FROM due, accounts
                 WHERE checkouts.id = due.id AND accounts.id = checkouts.account_id
                 RETURNING ",
                checkout_columns!()
            ),
            &[&at(now), &i64::from(limit)],
        )
        .await?;
    taken.iter().map(rows::checkout).collect()
}

/// Postpones the expiry of a session.
pub(super) async fn expire_later(db: &Db, id: &CheckoutId, later: Timestamp) -> Result<()> {
    db.execute("UPDATE checkouts SET expiry_due = $2 WHERE id = $1", &[&id.as_str(), &at(later)])
        .await
        .map(drop)
}

/// Marks a session as unused: it has no charge, so it is deleted after its retention period.
pub(super) async fn mark_unused(db: &Db, checkout: &Checkout) -> Result<()> {
    let sql = "UPDATE checkouts SET unused_since = $2 WHERE id = $1";
    db.execute(sql, &[&checkout.id.as_str(), &at(checkout.expires_at)]).await.map(drop)
}
