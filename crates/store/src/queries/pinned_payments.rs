//! Pending payments by the operator that they are pinned to.

use super::parameters::numbered;
use jiff::Timestamp;
use tua_domain::{
    Transaction,
    ports::ReservedFloats,
    routing::{OperatorFingerprint, PinnedOperator},
};
use tua_sql::{
    rows::{self, transaction_columns},
    sql::{Parameter, Sql},
};

pub(crate) async fn pending_by_operator<S: Sql>(
    db: &S,
) -> Result<Vec<(PinnedOperator, u32)>, S::Error> {
    let sql = "SELECT operator, operator_fingerprint, count(*) AS payments FROM transactions
               WHERE status = 'PENDING' AND ask_at IS NOT NULL AND operator_fingerprint <> ''
               GROUP BY operator, operator_fingerprint ORDER BY operator";
    db.query(sql, &[]).await?.iter().map(rows::pending_of_operator).collect()
}

/// What payouts and refunds by payout that are approved, or need no approval, and are not sent will
/// take from the floats.
pub(crate) async fn reserved_floats<S: Sql>(db: &S) -> Result<ReservedFloats, S::Error> {
    let sql = "SELECT operator_fingerprint, CAST(sum(amount) AS BIGINT) AS reserved
               FROM transactions
               WHERE send_at IS NOT NULL AND kind = 'PAYOUT'
                 AND coalesce(refund_method, 'PAYOUT') = 'PAYOUT'
                 AND handed_over_at IS NULL AND operator_fingerprint <> ''
               GROUP BY operator_fingerprint";
    db.query(sql, &[]).await?.iter().map(rows::reserved_float).collect()
}

/// Lifts the flag of payments whose operator is known again, and flags those whose operator is not
/// known, handed over at `before` or earlier. Returns how many were flagged.
pub(crate) async fn flag_unserved<S: Sql>(
    db: &S,
    known: &[OperatorFingerprint],
    before: Timestamp,
    now: Timestamp,
) -> Result<u64, S::Error> {
    let known: Vec<&str> = known.iter().map(OperatorFingerprint::as_str).collect();
    let known: Vec<&(dyn Parameter + Sync)> =
        known.iter().map(|one| one as &(dyn Parameter + Sync)).collect();
    if let Some(lift) = lift(known.len()) {
        db.execute(&lift, &known).await?;
    }
    let times: [&(dyn Parameter + Sync); 2] = [&now, &before];
    db.execute(&flag(known.len()), &[&times, known.as_slice()].concat()).await
}

/// Flagged payments whose operator is not known and whose payer is still asked for something, at
/// most `limit` of them.
pub(crate) async fn unserved_prompts<S: Sql>(
    db: &S,
    limit: i64,
) -> Result<Vec<Transaction>, S::Error> {
    let columns = transaction_columns!();
    let found = db.query(&unserved_prompts_sql(columns), &[&limit]).await?;
    found.iter().map(rows::transaction).collect()
}

/// The parameter: how many are read.
fn unserved_prompts_sql(columns: &str) -> String {
    format!(
        "SELECT {columns} FROM transactions
         WHERE status = 'PENDING' AND review_at IS NOT NULL AND unserved_at IS NOT NULL
           AND next_action IN ('APPROVE_ON_PHONE', 'ENTER_OTP', 'ENTER_VOUCHER')
         ORDER BY review_at LIMIT $1"
    )
}

/// Lifts flags. The parameters: the fingerprints of so many known operators. Nothing where there is
/// none.
///
/// Every payment with `unserved_at` has `review_at` too: with that in the condition, only the
/// flagged ones are read, which have an index.
fn lift(known: usize) -> Option<String> {
    let known = numbered(1, known)?;
    Some(format!(
        "UPDATE transactions SET unserved_at = NULL,
             review_at = CASE WHEN review_at = unserved_at AND attention IS NULL THEN NULL
                              ELSE review_at END
         WHERE status = 'PENDING' AND review_at IS NOT NULL AND unserved_at IS NOT NULL
           AND operator_fingerprint IN ({known})"
    ))
}

/// Flags payments. The parameters: now, the time before which they were handed over, and the
/// fingerprints of so many known operators.
fn flag(known: usize) -> String {
    let is_unknown = numbered(3, known)
        .map(|known| format!(" AND operator_fingerprint NOT IN ({known})"))
        .unwrap_or_default();
    format!(
        "UPDATE transactions SET unserved_at = $1, review_at = coalesce(review_at, $1)
         WHERE status = 'PENDING' AND unserved_at IS NULL AND operator_fingerprint <> ''
           AND ask_at IS NOT NULL AND handed_over_at <= $2{is_unknown}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{connection::connect, migrations::migrate};
    use rusqlite::{OpenFlags, params_from_iter};

    /// They run every 90 seconds, in the thread that also writes payments.
    #[test]
    fn flagging_does_not_read_the_whole_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("tua.db");
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut db = connect(&path, flags).unwrap();
        migrate(&mut db).unwrap();
        for (sql, parameters, index) in [
            (lift(2).unwrap(), 2, "transactions_flagged"),
            (flag(2), 4, "transactions_due"),
            (flag(0), 2, "transactions_due"),
            (unserved_prompts_sql("id"), 1, "transactions_flagged"),
        ] {
            let plan: Vec<String> = db
                .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
                .unwrap()
                .query_map(params_from_iter([0].repeat(parameters)), |row| row.get("detail"))
                .unwrap()
                .collect::<rusqlite::Result<_>>()
                .unwrap();
            assert!(plan[0].contains(&format!("transactions USING INDEX {index}")), "{plan:?}");
        }
    }
}
