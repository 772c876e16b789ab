//! When pending transactions are sent or asked about next.

use crate::lease_sql::LeaseSql;
use jiff::Timestamp;
use tua_domain::{TransactionId, ports::NextStatusQuery};
use tua_sql::sql::Sql;

/// Ends leases of a node that crashed, if they expire at `latest` or earlier. Does nothing while
/// another node is connected, since the leases may be its own.
pub(crate) async fn end_leases<S: LeaseSql>(
    db: &S,
    now: Timestamp,
    latest: Timestamp,
) -> Result<(), S::Error> {
    if !db.is_alone().await? {
        return Ok(());
    }
    for sql in [
        "UPDATE transactions SET send_at = $1 WHERE send_at > $1 AND send_at <= $2",
        "UPDATE transactions SET ask_at = $1 WHERE ask_at > $1 AND ask_at <= $2",
    ] {
        db.execute(sql, &[&now, &latest]).await?;
    }
    Ok(())
}

/// Schedules the next status query; returns `false` if the transaction has become final.
pub(crate) async fn schedule_status_query<S: Sql>(
    db: &S,
    id: &TransactionId,
    query_count: u32,
    next: NextStatusQuery,
    now: Timestamp,
) -> Result<bool, S::Error> {
    let sql = "UPDATE transactions SET asks = $2, ask_at = $3, review_at = coalesce(review_at, $4)
               WHERE id = $1 AND status = 'PENDING' AND handed_over_at IS NOT NULL";
    let flagged_at = next.is_flagged.then_some(now);
    Ok(db.execute(sql, &[&id.as_str(), &query_count, &next.at, &flagged_at]).await? > 0)
}
