//! What happens to a checkout session that has ended.

use super::{checkouts, notices::insert_deliveries};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{Checkout, rules::Expiry};

/// Writes what happens to a session that has expired or was closed.
pub(super) fn apply_expiry(
    db: &Connection,
    checkout: &Checkout,
    expiry: Expiry,
    now: Timestamp,
) -> Result<()> {
    match expiry {
        Expiry::Paid => Ok(()),
        Expiry::Later(at) => checkouts::expire_later(db, &checkout.id, at),
        Expiry::Unpaid(news) => insert_deliveries(db, &checkout.scope, news, now),
        Expiry::Unused(news) => {
            checkouts::mark_unused(db, checkout)?;
            insert_deliveries(db, &checkout.scope, news, now)
        }
    }
}
