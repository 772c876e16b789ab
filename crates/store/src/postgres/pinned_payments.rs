//! Pending payments by the operator that they are pinned to.

use super::{PostgresStore, hand_over, record::at};
use crate::in_doubt::InDoubt;
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

#[async_trait]
impl PinnedPayments for PostgresStore {
    async fn pending_by_operator(&self) -> Result<Vec<(OperatorPin, u32)>, StoreError> {
        let sql = "SELECT operator, operator_fingerprint, count(*) AS payments FROM transactions
                   WHERE status = 'PENDING' AND ask_at IS NOT NULL AND operator_fingerprint <> ''
                   GROUP BY operator, operator_fingerprint ORDER BY operator";
        self.tx
            .read(|db| async move {
                db.query(sql, &[]).await?.iter().map(rows::pending_of_operator).collect()
            })
            .await
    }

    async fn reserved_floats(&self) -> Result<ReservedFloats, StoreError> {
        self.tx
            .read(|db| async move {
                db.query(RESERVED, &[]).await?.iter().map(rows::reserved_float).collect()
            })
            .await
    }

    async fn flag_unserved(
        &self,
        known: Vec<OperatorFingerprint>,
        before: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let known: Vec<String> = known.iter().map(|one| one.as_str().to_owned()).collect();
        let known = &known;
        let before = at(before);
        let now = at(now);
        self.tx
            .write(InDoubt::Retry, |db| async move {
                // Every payment with `unserved_at` has `review_at` too: with that in the condition,
                // only the flagged ones are read, which have an index.
                let lift = "UPDATE transactions SET unserved_at = NULL,
                                review_at = CASE WHEN review_at = unserved_at AND attention IS NULL
                                                 THEN NULL ELSE review_at END
                            WHERE status = 'PENDING' AND review_at IS NOT NULL AND unserved_at IS \
                    NOT NULL
                              AND operator_fingerprint = ANY($1::text[])";
                db.execute(lift, &[known]).await?;
                let flag = "UPDATE transactions SET unserved_at = $3, review_at = \
                    coalesce(review_at, $3)
                            WHERE status = 'PENDING' AND unserved_at IS NULL AND \
                    operator_fingerprint <> ''
                              AND ask_at IS NOT NULL AND handed_over_at <= $2
                              AND NOT operator_fingerprint = ANY($1::text[])";
                db.execute(flag, &[known, &before, &now]).await
            })
            .await
    }

    async fn record_found(
        &self,
        asked: &Transaction,
        approved: Option<PayoutRoute>,
        by: &AuditContext,
    ) -> Result<Transaction, StoreError> {
        let id = &asked.begun.id;
        let approved = approved.as_ref();
        // A repetition finds it handed over.
        self.tx
            .write(InDoubt::Retry, |db| async move {
                hand_over::record_found(&db, id, approved, by).await
            })
            .await
    }
}
