//! What is read of checkout sessions on the way of every payment, and locked.

use super::{
    batch_ops::{by_ordinality, column},
    transaction_rows,
};
use std::collections::HashMap;
use tua_domain::{Checkout, CheckoutId, Transaction, checkout::ChargeWindow};
use tua_sql::{
    postgres::{db::Db, error::Result},
    rows::{self, select_checkouts},
};

/// Finds checkout sessions by the digests of their tokens.
pub(super) async fn by_tokens(db: &Db, digests: &[&[u8]]) -> Result<Vec<Option<Checkout>>> {
    let sql = concat!(
        select_checkouts!("n, "),
        " JOIN unnest($1::bytea[]) WITH ORDINALITY AS asked (asked, n) ON token_digest = asked"
    );
    by_ordinality(digests.len(), db.query(sql, &[&digests]).await?, |row| rows::checkout(&row))
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
