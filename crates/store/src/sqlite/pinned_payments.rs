//! Pending payments by the operator that they are pinned to.

use super::{SqliteStore, hand_over, record::Record};
use crate::{float_sql::RESERVED, rows};
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    Transaction,
    audit::AuditContext,
    payout_route::PayoutRoute,
    ports::{PinnedPayments, StoreError},
    routing::{OperatorFingerprint, OperatorPin, ReservedFloats},
};

/// Lifts the flag of payments whose operator is known again. Every payment with `unserved_at` has
/// `review_at` too: with that in the condition, only the flagged ones are read, which have an
/// index.
const LIFT: &str = "
    UPDATE transactions SET unserved_at = NULL,
        review_at = CASE WHEN review_at = unserved_at AND attention IS NULL THEN NULL
                         ELSE review_at END
    WHERE status = 'PENDING' AND review_at IS NOT NULL AND unserved_at IS NOT NULL
      AND operator_fingerprint IN (SELECT value FROM json_each(?1))";

/// Flags the payments whose operator is not known, handed over before `?2`.
const FLAG: &str = "
    UPDATE transactions SET unserved_at = ?3, review_at = coalesce(review_at, ?3)
    WHERE status = 'PENDING' AND unserved_at IS NULL AND operator_fingerprint <> ''
      AND ask_at IS NOT NULL AND handed_over_at <= ?2
      AND operator_fingerprint NOT IN (SELECT value FROM json_each(?1))";

#[async_trait]
impl PinnedPayments for SqliteStore {
    async fn pending_by_operator(&self) -> Result<Vec<(OperatorPin, u32)>, StoreError> {
        self.readers
            .read_many(|db| {
                db.prepare_cached(
                    "SELECT operator, operator_fingerprint, count(*) AS payments FROM transactions
                     WHERE status = 'PENDING' AND ask_at IS NOT NULL AND operator_fingerprint <> ''
                     GROUP BY operator, operator_fingerprint ORDER BY operator",
                )?
                .query_map([], |row| rows::pending_of_operator(&Record::new(row)))?
                .collect()
            })
            .await
    }

    async fn reserved_floats(&self) -> Result<ReservedFloats, StoreError> {
        let read = |row: &rusqlite::Row<'_>| rows::reserved_float(&Record::new(row));
        self.readers
            .read_many(move |db| db.prepare_cached(RESERVED)?.query_map([], read)?.collect())
            .await
    }

    async fn flag_unserved(
        &self,
        known: Vec<OperatorFingerprint>,
        before: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let known: Vec<&str> = known.iter().map(OperatorFingerprint::as_str).collect();
        // As JSON, because SQLite has no arrays. Fingerprints are hexadecimal digits.
        let known = format!(
            "[{}]",
            known.iter().map(|one| format!("\"{one}\"")).collect::<Vec<_>>().join(",")
        );
        let before = before.as_millisecond();
        let now = now.as_millisecond();
        self.writer
            .write(move |db| {
                db.prepare_cached(LIFT)?.execute([&known])?;
                let flagged = db.prepare_cached(FLAG)?.execute((&known, before, now))?;
                Ok(flagged as u64)
            })
            .await
    }

    async fn record_found(
        &self,
        asked: &Transaction,
        approved: Option<PayoutRoute>,
        by: &AuditContext,
    ) -> Result<Transaction, StoreError> {
        let id = asked.begun.id.clone();
        let by = by.clone();
        self.writer.write(move |db| hand_over::record_found(db, &id, approved.as_ref(), &by)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::MIGRATIONS;
    use rusqlite::{Connection, params_from_iter};
    use rusqlite_migration::Migrations;

    /// They run every 90 seconds, in the thread that also writes payments.
    #[test]
    fn flagging_does_not_read_the_whole_table() {
        let mut db = Connection::open_in_memory().unwrap();
        Migrations::from_slice(MIGRATIONS).to_latest(&mut db).unwrap();
        for (sql, parameters, index) in
            [(LIFT, 1, "transactions_flagged"), (FLAG, 3, "transactions_due")]
        {
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
