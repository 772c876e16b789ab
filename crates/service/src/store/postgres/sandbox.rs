//! The sandbox operator's memory.

use super::{
    PostgresStore,
    db::Db,
    doubt::InDoubt,
    error::Result,
    record::at,
    together::{Looked, Lookup, Write, Written, column, findable, placed},
};
use crate::{
    operators::sandbox::memory::{Decision, Memory, Received},
    store::{StoreError, rows},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::convert::Infallible;

macro_rules! columns {
    () => {
        "reference, kind, network, phone, amount, merchant, message, received_at, code_accepted_at, decision,
         decided_at, cancelled_at"
    };
}

#[async_trait]
impl Memory for PostgresStore {
    async fn keep(&self, order: Received, kept: Box<dyn FnOnce() + Send>) -> std::result::Result<(), StoreError> {
        let Ok(()) = self.orders.ask(Written(order)).await?;
        kept();
        Ok(())
    }

    async fn recall(&self, reference: &str) -> std::result::Result<Option<Received>, StoreError> {
        self.recalls.ask(Looked(Reference(reference.to_owned()))).await
    }

    async fn accept_code(&self, reference: &str, now: Timestamp) -> std::result::Result<Option<Received>, StoreError> {
        let sql = concat!(
            "UPDATE sandbox_orders SET code_accepted_at = coalesce(code_accepted_at, $2)
             WHERE reference = $1 AND cancelled_at IS NULL RETURNING ",
            columns!()
        );
        self.sessions
            .write(InDoubt::Repeat, |db| async move { received(db.one(sql, &[&reference, &at(now)]).await?) })
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
            columns!()
        );
        self.sessions
            .write(InDoubt::Repeat, |db| async move {
                received(db.one(sql, &[&reference, &decision.as_str(), &at(now)]).await?)
            })
            .await
    }

    async fn cancel(&self, reference: &str, now: Timestamp) -> std::result::Result<bool, StoreError> {
        let sql = "UPDATE sandbox_orders SET cancelled_at = coalesce(cancelled_at, $2)
                   WHERE reference = $1 AND code_accepted_at IS NULL";
        self.sessions
            .write(InDoubt::Repeat, |db| async move { Ok(db.run(sql, &[&reference, &at(now)]).await? > 0) })
            .await
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

/// What an order is recalled by.
pub(super) struct Reference(String);

#[async_trait]
impl Lookup for Reference {
    type Found = Received;

    async fn find(db: &Db, these: &[&Self]) -> Result<Vec<Option<Received>>> {
        let references = column(these, |Self(reference)| findable(reference));
        let sql = concat!(
            "SELECT n, ",
            columns!(),
            " FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked, n) JOIN sandbox_orders ON reference = asked"
        );
        placed(these.len(), db.all(sql, &[&references]).await?, |row| rows::received(&row))
    }
}

/// Nothing here is waited for on disk: it is there before whatever is written durably later.
#[async_trait]
impl Write for Received {
    type Done = ();
    type Refusal = Infallible;

    fn names(&self) -> Vec<String> {
        vec![self.order.reference.clone()]
    }

    fn doubt(&self) -> InDoubt<'_> {
        InDoubt::Repeat
    }

    async fn write(db: &Db, these: &[&Self]) -> Result<Vec<std::result::Result<(), Infallible>>> {
        tokio::try_join!(biased; db.relax(), insert(db, these))?;
        Ok(these.iter().map(|_| Ok(())).collect())
    }
}

/// The first order under a reference stands.
async fn insert(db: &Db, received: &[&Received]) -> Result<()> {
    db.run(
        "INSERT INTO sandbox_orders (reference, kind, network, phone, amount, merchant, message, received_at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
                              $8::bigint[])
         ON CONFLICT (reference) DO NOTHING",
        &[
            &column(received, |one| &one.order.reference),
            &column(received, |one| one.order.kind.as_str()),
            &column(received, |one| one.order.network.as_str()),
            &column(received, |one| one.order.phone.as_str()),
            &column(received, |one| one.order.amount.pesewas()),
            &column(received, |one| &one.order.merchant),
            &column(received, |one| &one.order.message),
            &column(received, |one| at(one.at)),
        ],
    )
    .await
    .map(drop)
}

fn received(row: Option<tokio_postgres::Row>) -> Result<Option<Received>> {
    row.as_ref().map(rows::received).transpose()
}
