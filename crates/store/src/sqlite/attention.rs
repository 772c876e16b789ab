//! What people must do about pending transactions, as operators report it.

use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{TransactionId, review::Attention};

/// Flags a pending transaction where people must do something about it.
pub(super) fn store(
    db: &Connection,
    id: &TransactionId,
    attention: Option<Attention>,
    now: Timestamp,
) -> Result<()> {
    let Some(attention) = attention else { return Ok(()) };
    db.prepare_cached(
        "UPDATE transactions SET review_at = coalesce(review_at, ?2), attention = ?3
         WHERE id = ?1 AND status = 'PENDING' AND handed_over_at IS NOT NULL",
    )?
    .execute((id.as_str(), now.as_millisecond(), attention.as_str()))
    .map(drop)
}
