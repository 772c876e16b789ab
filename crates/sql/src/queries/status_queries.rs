//! When operators are asked about the status of transactions besides the polling schedule.

use crate::sql::Sql;
use jiff::Timestamp;
use tua_domain::TransactionId;

/// Has the operator asked at this time at the latest, because of its callback. Also about a final
/// transaction: a callback is the only notice of a later success or reversal.
pub async fn ask_after_callback<S: Sql>(
    db: &S,
    id: &TransactionId,
    at: Timestamp,
) -> Result<(), S::Error> {
    let sql = "UPDATE transactions
         SET ask_at = $2, asks = CASE WHEN status = 'PENDING' THEN asks ELSE 0 END
         WHERE id = $1 AND handed_over_at IS NOT NULL
           AND (ask_at > $2 OR ask_at IS NULL AND status <> 'PENDING')";
    db.execute(sql, &[&id.as_str(), &at]).await.map(drop)
}

/// As [`tua_domain::ports::Schedules::schedule_status_query_of_final`].
pub async fn schedule_of_final<S: Sql>(
    db: &S,
    id: &TransactionId,
    query_count: u32,
    at: Option<Timestamp>,
) -> Result<(), S::Error> {
    let sql = "UPDATE transactions SET asks = $2, ask_at = $3
         WHERE id = $1 AND status <> 'PENDING'
           AND (ask_at IS NOT NULL OR CAST($3 AS BIGINT) IS NOT NULL)";
    db.execute(sql, &[&id.as_str(), &query_count, &at]).await.map(drop)
}
