//! The orders of the sandbox operator.

use super::{
    PostgresStore,
    batch_ops::{BatchRead, BatchWrite, Lookup, Write, by_ordinality, column, without_nul},
    db::Db,
    error::Result,
    record::at,
};
use crate::{
    in_doubt::InDoubt,
    rows::{self, received_columns},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{collections::HashSet, convert::Infallible};
use tua_domain::ports::StoreError;
use tua_operators::sandbox::orders::{Decision, Received, SandboxOrders};

#[async_trait]
impl SandboxOrders for PostgresStore {
    async fn insert_order(&self, order: Received) -> std::result::Result<bool, StoreError> {
        let Ok(is_inserted) = self.insert_order.submit(BatchWrite(order)).await?;
        Ok(is_inserted)
    }

    async fn find_order(
        &self,
        reference: &str,
    ) -> std::result::Result<Option<Received>, StoreError> {
        self.find_received.submit(BatchRead(Reference(reference.to_owned()))).await
    }

    async fn accept_code(
        &self,
        reference: &str,
        now: Timestamp,
    ) -> std::result::Result<Option<Received>, StoreError> {
        let sql = concat!(
            "UPDATE sandbox_orders SET code_accepted_at = coalesce(code_accepted_at, $2)
             WHERE reference = $1 AND cancelled_at IS NULL RETURNING ",
            received_columns!()
        );
        self.tx
            .write(InDoubt::Retry, |db| async move {
                received(db.query_opt(sql, &[&reference, &at(now)]).await?)
            })
            .await
    }

    async fn decide(
        &self,
        reference: &str,
        decision: Decision,
        now: Timestamp,
    ) -> std::result::Result<Option<Received>, StoreError> {
        let sql = concat!(
            "UPDATE sandbox_orders SET decision = $2, decided_at = $3
             WHERE reference = $1 AND decision IS NULL AND cancelled_at IS NULL RETURNING ",
            received_columns!()
        );
        self.tx
            .write(InDoubt::Retry, |db| async move {
                received(db.query_opt(sql, &[&reference, &decision.as_str(), &at(now)]).await?)
            })
            .await
    }

    async fn cancel(
        &self,
        reference: &str,
        now: Timestamp,
    ) -> std::result::Result<bool, StoreError> {
        let sql = "UPDATE sandbox_orders SET cancelled_at = coalesce(cancelled_at, $2)
                   WHERE reference = $1 AND code_accepted_at IS NULL";
        self.tx
            .write(InDoubt::Retry, |db| async move {
                Ok(db.execute(sql, &[&reference, &at(now)]).await? > 0)
            })
            .await
    }

    async fn orders_since(
        &self,
        since: Timestamp,
    ) -> std::result::Result<Vec<Received>, StoreError> {
        let sql = concat!(
            "SELECT ",
            received_columns!(),
            " FROM sandbox_orders WHERE received_at >= $1 ORDER BY received_at DESC LIMIT 100"
        );
        self.tx
            .read(|db| async move {
                db.query(sql, &[&at(since)]).await?.iter().map(rows::received).collect()
            })
            .await
    }
}

/// The key of an order.
pub(super) struct Reference(String);

#[async_trait]
impl Lookup for Reference {
    type Found = Received;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<Received>>> {
        let references = column(ops, |Self(reference)| without_nul(reference));
        let sql = concat!(
            "SELECT n, ",
            received_columns!(),
            " FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked, n) JOIN sandbox_orders ON \
             reference = asked"
        );
        by_ordinality(ops.len(), db.query(sql, &[&references]).await?, |row| rows::received(&row))
    }
}

/// Inserted with asynchronous commit: it is durable before any later durable commit.
#[async_trait]
impl Write for Received {
    /// Whether it was inserted.
    type Done = bool;
    type Rejection = Infallible;

    fn conflict_keys(&self) -> Vec<String> {
        vec![self.order.reference.clone()]
    }

    fn in_doubt(&self) -> InDoubt<'_> {
        InDoubt::Retry
    }

    async fn write(db: &Db, ops: &[&Self]) -> Result<Vec<std::result::Result<bool, Infallible>>> {
        let ((), inserted) = tokio::try_join!(biased; db.set_async_commit(), insert(db, ops))?;
        Ok(ops.iter().map(|op| Ok(inserted.contains(&op.order.reference))).collect())
    }
}

/// Inserts orders; the first order with a reference wins. Returns the references of those that were
/// inserted.
async fn insert(db: &Db, received: &[&Received]) -> Result<HashSet<String>> {
    let inserted = db
        .query(
            "INSERT INTO sandbox_orders (reference, kind, network, phone, amount, merchant, \
             message, received_at, is_refund)
             SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], \
             $6::text[], $7::text[],
                                  $8::bigint[], $9::bigint[])
             ON CONFLICT (reference) DO NOTHING RETURNING reference",
            &[
                &column(received, |op| &op.order.reference),
                &column(received, |op| op.order.transfer.kind.as_str()),
                &column(received, |op| op.order.transfer.network.as_str()),
                &column(received, |op| op.order.transfer.phone.as_str()),
                &column(received, |op| op.order.transfer.amount.pesewas()),
                &column(received, |op| &op.order.merchant),
                &column(received, |op| &op.order.message),
                &column(received, |op| at(op.at)),
                &column(received, |op| i64::from(op.is_refund)),
            ],
        )
        .await?;
    inserted.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

fn received(row: Option<tokio_postgres::Row>) -> Result<Option<Received>> {
    row.as_ref().map(rows::received).transpose()
}
