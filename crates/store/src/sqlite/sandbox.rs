//! The orders of the sandbox operator.

use super::{SqliteStore, record::Record};
use crate::rows;
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_domain::ports::StoreError;
use tua_operators::sandbox::orders::{Decision, Received, SandboxOrders};

#[async_trait]
impl SandboxOrders for SqliteStore {
    async fn insert_order(&self, received: Received) -> Result<bool, StoreError> {
        self.writer.write(move |db| insert(db, &received)).await
    }

    async fn find_order(&self, reference: &str) -> Result<Option<Received>, StoreError> {
        self.readers.read(|db| by_reference(db, reference))
    }

    async fn accept_code(
        &self,
        reference: &str,
        at: Timestamp,
    ) -> Result<Option<Received>, StoreError> {
        let reference = reference.to_owned();
        self.writer
            .write(move |db| {
                db.prepare_cached(
                    "UPDATE sandbox_orders SET code_accepted_at = coalesce(code_accepted_at, ?2)
                 WHERE reference = ?1 AND cancelled_at IS NULL RETURNING *",
                )?
                .query_row((&reference, at.as_millisecond()), |row| {
                    rows::received(&Record::new(row))
                })
                .optional()
            })
            .await
    }

    async fn decide(
        &self,
        reference: &str,
        decision: Decision,
        at: Timestamp,
    ) -> Result<Option<Received>, StoreError> {
        let reference = reference.to_owned();
        self.writer
            .write(move |db| {
                db.prepare_cached(
                    "UPDATE sandbox_orders SET decision = ?2, decided_at = ?3
                 WHERE reference = ?1 AND decision IS NULL AND cancelled_at IS NULL RETURNING *",
                )?
                .query_row((&reference, decision.as_str(), at.as_millisecond()), |row| {
                    rows::received(&Record::new(row))
                })
                .optional()
            })
            .await
    }

    async fn cancel(&self, reference: &str, at: Timestamp) -> Result<bool, StoreError> {
        let reference = reference.to_owned();
        self.writer
            .write(move |db| {
                db.prepare_cached(
                    "UPDATE sandbox_orders SET cancelled_at = coalesce(cancelled_at, ?2)
                 WHERE reference = ?1 AND code_accepted_at IS NULL",
                )?
                .execute((&reference, at.as_millisecond()))
                .map(|cancelled| cancelled > 0)
            })
            .await
    }

    async fn orders_since(&self, at: Timestamp) -> Result<Vec<Received>, StoreError> {
        self.readers
            .read_many(move |db| {
                db.prepare_cached(
                    "SELECT * FROM sandbox_orders WHERE received_at >= ?1 ORDER BY received_at \
                     DESC LIMIT 100",
                )?
                .query_map([at.as_millisecond()], |row| rows::received(&Record::new(row)))?
                .collect()
            })
            .await
    }
}

/// Inserts an order; the first order with a reference wins. Returns whether it was inserted.
fn insert(db: &Connection, received: &Received) -> Result<bool> {
    let order = &received.order;
    db.prepare_cached(
        "INSERT INTO sandbox_orders (reference, kind, network, phone, amount, merchant, message, \
         received_at, is_refund)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (reference) DO NOTHING",
    )?
    .execute(params![
        order.reference,
        order.transfer.kind.as_str(),
        order.transfer.network.as_str(),
        order.transfer.phone.as_str(),
        order.transfer.amount.pesewas(),
        order.merchant,
        order.message,
        received.at.as_millisecond(),
        received.is_refund,
    ])
    .map(|inserted| inserted > 0)
}

fn by_reference(db: &Connection, reference: &str) -> Result<Option<Received>> {
    db.prepare_cached("SELECT * FROM sandbox_orders WHERE reference = ?1")?
        .query_row([reference], |row| rows::received(&Record::new(row)))
        .optional()
}
