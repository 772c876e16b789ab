//! Counts the payouts and refunds that wait for an approval, by who asked for them.

use crate::{
    columns::{maybe_text, number},
    sql::Sql,
};
use tua_domain::{KeyId, Scope, approval::WaitingRequests};

/// The requests of an account and mode that are in no batch, counted for each key or person.
/// Requests of the command line have no actor.
pub async fn by_asker<S: Sql>(db: &S, scope: &Scope) -> Result<Vec<WaitingRequests>, S::Error> {
    let index = S::index_hint("transactions_unapproved");
    let sql = format!(
        "SELECT key_id, actor, CAST(count(*) AS BIGINT) AS requests
         FROM (SELECT key_id, CASE WHEN key_id IS NULL THEN
                   (SELECT CASE WHEN source = 'dashboard' THEN actor END FROM audit_log
                    WHERE subject = waiting.id
                      AND action IN ('payout.requested', 'refund.requested')
                    ORDER BY seq DESC LIMIT 1) END AS actor
               FROM transactions AS waiting{index}
               WHERE approval_due IS NOT NULL AND batch_id IS NULL
                 AND account_id = $1 AND mode = $2) AS requested
         GROUP BY key_id, actor"
    );
    let found = db.query(&sql, &[&scope.account.as_str(), &scope.mode.as_str()]).await?;
    found
        .iter()
        .map(|row| {
            Ok(WaitingRequests {
                key: maybe_text(row, "key_id")?.map(KeyId::new),
                actor: maybe_text(row, "actor")?,
                count: number(row, "requests")?,
            })
        })
        .collect()
}
