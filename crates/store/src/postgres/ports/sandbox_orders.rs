//! The [`SandboxOrders`] port.

use crate::{
    in_doubt::InDoubt,
    postgres::{
        PostgresStore,
        batch_ops::{BatchRead, BatchWrite},
        record::at,
        sandbox,
    },
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::ops::Range;
use tua_domain::ports::StoreError;
use tua_operators::sandbox::orders::{Decision, Received, SandboxOrders};
use tua_sql::rows::{self, received_columns};

#[async_trait]
impl SandboxOrders for PostgresStore {
    async fn insert_order(&self, order: Received) -> Result<bool, StoreError> {
        let Ok(is_inserted) = self.insert_order.submit(BatchWrite(order)).await?;
        Ok(is_inserted)
    }

    async fn find_order(&self, reference: &str) -> Result<Option<Received>, StoreError> {
        self.find_received.submit(BatchRead(sandbox::Reference(reference.to_owned()))).await
    }

    async fn accept_code(
        &self,
        reference: &str,
        now: Timestamp,
    ) -> Result<Option<Received>, StoreError> {
        let sql = concat!(
            "UPDATE sandbox_orders SET code_accepted_at = coalesce(code_accepted_at, $2)
             WHERE reference = $1 AND cancelled_at IS NULL RETURNING ",
            received_columns!()
        );
        self.tx
            .write(InDoubt::Retry, |db| async move {
                sandbox::received(db.query_opt(sql, &[&reference, &at(now)]).await?)
            })
            .await
    }

    async fn decide(
        &self,
        reference: &str,
        decision: Decision,
        now: Timestamp,
    ) -> Result<Option<Received>, StoreError> {
        let sql = concat!(
            "UPDATE sandbox_orders SET decision = $2, decided_at = $3
             WHERE reference = $1 AND decision IS NULL AND cancelled_at IS NULL RETURNING ",
            received_columns!()
        );
        self.tx
            .write(InDoubt::Retry, |db| async move {
                sandbox::received(
                    db.query_opt(sql, &[&reference, &decision.as_str(), &at(now)]).await?,
                )
            })
            .await
    }

    async fn cancel(&self, reference: &str, now: Timestamp) -> Result<bool, StoreError> {
        let sql = "UPDATE sandbox_orders SET cancelled_at = coalesce(cancelled_at, $2)
                   WHERE reference = $1 AND code_accepted_at IS NULL";
        self.tx
            .write(InDoubt::Retry, |db| async move {
                Ok(db.execute(sql, &[&reference, &at(now)]).await? > 0)
            })
            .await
    }

    async fn orders_since(&self, since: Timestamp) -> Result<Vec<Received>, StoreError> {
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

    async fn orders_received(
        &self,
        time: Range<Timestamp>,
        limit: u32,
    ) -> Result<Vec<Received>, StoreError> {
        let sql = concat!(
            "SELECT ",
            received_columns!(),
            " FROM sandbox_orders WHERE received_at >= $1 AND received_at < $2
             ORDER BY received_at, reference LIMIT $3"
        );
        let from = at(time.start);
        let until = at(time.end);
        self.tx
            .read(|db| async move {
                let found = db.query(sql, &[&from, &until, &i64::from(limit)]).await?;
                found.iter().map(rows::received).collect()
            })
            .await
    }
}
