//! What people must do about pending transactions, as operators report it.

use crate::sql::Sql;
use jiff::Timestamp;
use tua_domain::{TransactionId, review::Attention};

/// Flags a pending transaction where people must do something about it.
pub async fn store<S: Sql>(
    db: &S,
    id: &TransactionId,
    attention: Option<Attention>,
    now: Timestamp,
) -> Result<(), S::Error> {
    let Some(attention) = attention else { return Ok(()) };
    let sql = "UPDATE transactions SET review_at = coalesce(review_at, $2), attention = $3
               WHERE id = $1 AND status = 'PENDING' AND handed_over_at IS NOT NULL";
    db.execute(sql, &[&id.as_str(), &now, &attention.as_str()]).await.map(drop)
}
