//! The sandbox operator's memory.

use super::{PostgresStore, error::Result, record::at, session::Db};
use crate::{
    operators::sandbox::memory::{Decision, Memory, Received},
    store::{StoreError, rows},
};
use async_trait::async_trait;
use jiff::Timestamp;

macro_rules! columns {
    () => {
        "reference, kind, network, phone, amount, merchant, message, received_at, code_accepted_at, decision,
         decided_at, cancelled_at"
    };
}

#[async_trait]
impl Memory for PostgresStore {
    async fn keep(&self, order: Received, kept: Box<dyn FnOnce() + Send>) -> std::result::Result<(), StoreError> {
        let order = &order;
        self.sessions.write_relaxed(|db| async move { insert(&db, order).await }).await?;
        kept();
        Ok(())
    }

    async fn recall(&self, reference: &str) -> std::result::Result<Option<Received>, StoreError> {
        let sql = concat!("SELECT ", columns!(), " FROM sandbox_orders WHERE reference = $1");
        self.sessions.read(|db| async move { received(db.one(sql, &[&reference]).await?) }).await
    }

    async fn accept_code(&self, reference: &str, now: Timestamp) -> std::result::Result<Option<Received>, StoreError> {
        let sql = concat!(
            "UPDATE sandbox_orders SET code_accepted_at = coalesce(code_accepted_at, $2)
             WHERE reference = $1 AND cancelled_at IS NULL RETURNING ",
            columns!()
        );
        self.sessions.write(|db| async move { received(db.one(sql, &[&reference, &at(now)]).await?) }).await
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
            columns!()
        );
        self.sessions
            .write(|db| async move { received(db.one(sql, &[&reference, &decision.as_str(), &at(now)]).await?) })
            .await
    }

    async fn cancel(&self, reference: &str, now: Timestamp) -> std::result::Result<bool, StoreError> {
        let sql = "UPDATE sandbox_orders SET cancelled_at = coalesce(cancelled_at, $2)
                   WHERE reference = $1 AND code_accepted_at IS NULL";
        self.sessions.write(|db| async move { Ok(db.run(sql, &[&reference, &at(now)]).await? > 0) }).await
    }

    async fn since(&self, since: Timestamp) -> std::result::Result<Vec<Received>, StoreError> {
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM sandbox_orders WHERE received_at >= $1 ORDER BY received_at DESC LIMIT 100"
        );
        self.sessions
            .read(|db| async move { db.all(sql, &[&at(since)]).await?.iter().map(rows::received).collect() })
            .await
    }
}

/// The first order under a reference stands.
async fn insert(db: &Db, received: &Received) -> Result<u64> {
    let order = &received.order;
    db.run(
        "INSERT INTO sandbox_orders (reference, kind, network, phone, amount, merchant, message, received_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (reference) DO NOTHING",
        &[
            &order.reference,
            &order.kind.as_str(),
            &order.network.as_str(),
            &order.phone.as_str(),
            &order.amount.pesewas(),
            &order.merchant,
            &order.message,
            &at(received.at),
        ],
    )
    .await
}

fn received(row: Option<tokio_postgres::Row>) -> Result<Option<Received>> {
    row.as_ref().map(rows::received).transpose()
}
