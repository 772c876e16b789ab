//! The [`SandboxOrders`] port.

use crate::sqlite::{SqliteStore, sandbox};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::OptionalExtension;
use std::ops::Range;
use tua_domain::ports::StoreError;
use tua_operators::sandbox::orders::{Decision, Received, SandboxOrders};
use tua_sql::{rows, sqlite::record::Record};

#[async_trait]
impl SandboxOrders for SqliteStore {
    /// The caller holds the permit to send the order, so no other insert of it is queued.
    async fn insert_order(&self, received: Received) -> Result<bool, StoreError> {
        let reference = &received.order.reference;
        if self.readers.read(|db| sandbox::by_reference(db, reference))?.is_some() {
            return Ok(false);
        }
        self.writer.write_later(move |db| sandbox::insert(db, &received))?;
        Ok(true)
    }

    /// An order that is not stored may be queued.
    async fn find_order(&self, reference: &str) -> Result<Option<Received>, StoreError> {
        if let Some(received) = self.readers.read(|db| sandbox::by_reference(db, reference))? {
            return Ok(Some(received));
        }
        let reference = reference.to_owned();
        self.writer.write(move |db| sandbox::by_reference(db, &reference)).await
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

    /// Behind the queued writes, because the simulated phone asks right after an insert.
    async fn orders_since(&self, at: Timestamp) -> Result<Vec<Received>, StoreError> {
        self.writer
            .write(move |db| {
                db.prepare_cached(
                    "SELECT * FROM sandbox_orders WHERE received_at >= ?1 ORDER BY received_at \
                     DESC LIMIT 100",
                )?
                .query_map([at.as_millisecond()], |row| rows::received(&Record::new(row)))?
                .collect()
            })
            .await
    }

    async fn orders_received(
        &self,
        time: Range<Timestamp>,
        limit: u32,
    ) -> Result<Vec<Received>, StoreError> {
        let from = time.start.as_millisecond();
        let until = time.end.as_millisecond();
        self.readers
            .read_many(move |db| {
                db.prepare_cached(
                    "SELECT * FROM sandbox_orders WHERE received_at >= ?1 AND received_at < ?2
                     ORDER BY received_at, reference LIMIT ?3",
                )?
                .query_map((from, until, limit), |row| rows::received(&Record::new(row)))?
                .collect()
            })
            .await
    }
}
