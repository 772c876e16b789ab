//! Stores that operators have orders of which the response to the send shows nothing else, as most
//! responses do.
//!
//! Lock order: idempotency records, transactions.

use super::{
    batch_ops::{WriteOp, column},
    idempotency,
    record::at,
};
use crate::in_doubt::InDoubt;
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashSet;
use tua_domain::{Transaction, TransactionId, idempotency::StoredResponse};
use tua_sql::postgres::{db::Db, error::Result};

/// The first acknowledgement of an order. Conditional on the version that was sent, so that the row
/// need not be read first.
pub(super) struct Acknowledge {
    id: TransactionId,
    version: u32,
    response: Option<StoredResponse>,
    now: Timestamp,
}

impl Acknowledge {
    pub(super) fn new(
        sent: &Transaction,
        response: Option<StoredResponse>,
        now: Timestamp,
    ) -> Self {
        Self { id: sent.order.id.clone(), version: sent.version, response, now }
    }
}

/// Something has happened to the transaction since its order was sent, or it was acknowledged
/// before.
pub(super) struct NotFirst;

#[async_trait]
impl WriteOp for Acknowledge {
    type Output = ();
    type Rejection = NotFirst;

    fn conflict_keys(&self) -> Vec<String> {
        vec![self.id.as_str().to_owned()]
    }

    /// A retry finds the acknowledgement, and reports that it is not the first.
    fn in_doubt(&self) -> InDoubt<'_> {
        InDoubt::Retry
    }

    async fn write(db: &Db, ops: &[&Self]) -> Result<Vec<std::result::Result<(), NotFirst>>> {
        let responses = ops.iter().filter_map(|op| op.response.as_ref()).collect();
        let mut orders = ops.to_vec();
        orders.sort_unstable_by_key(|op| op.id.as_str());
        let (_, acknowledged) = tokio::try_join!(
            biased;
            idempotency::record_responses(db, responses),
            store(db, &orders),
        )?;
        let outcome =
            |op: &&Self| acknowledged.contains(op.id.as_str()).then_some(()).ok_or(NotFirst);
        Ok(ops.iter().map(outcome).collect())
    }
}

/// Returns the ids of the transactions that were acknowledged for the first time. The caller sorts
/// by id, because rows are locked in this order.
async fn store(db: &Db, orders: &[&Acknowledge]) -> Result<HashSet<String>> {
    let acknowledged = db
        .query(
            "UPDATE transactions SET acknowledged_at = sent.at
             FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS sent (id, version, at)
             WHERE transactions.id = sent.id AND transactions.version = sent.version
                 AND acknowledged_at IS NULL AND status = 'PENDING' AND handed_over_at IS NOT NULL
             RETURNING transactions.id",
            &[
                &column(orders, |op| op.id.as_str()),
                &column(orders, |op| i64::from(op.version)),
                &column(orders, |op| at(op.now)),
            ],
        )
        .await?;
    acknowledged.iter().map(|row| Ok(row.try_get(0)?)).collect()
}
