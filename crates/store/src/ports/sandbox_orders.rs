//! Orders at the simulated operator of test mode: the [`SandboxOrders`] port.

use crate::{in_doubt::InDoubt, postgres::PostgresStore, sqlite::SqliteStore};
use async_trait::async_trait;
use jiff::Timestamp;
use std::ops::Range;
use tua_domain::ports::StoreError;
use tua_operators::sandbox::orders::{Decision, Received, SandboxOrders};
use tua_sql::{
    rows::{self, received_columns},
    sql::Sql,
};

/// As [`super::both_engines`], without the faults of tests: this is no port of the store.
macro_rules! implement_for {
    ($store:ident) => {
        #[async_trait]
        impl SandboxOrders for $store {
            async fn insert_order(&self, received: Received) -> Result<bool, StoreError> {
                self.insert_sandbox_order(received).await
            }

            async fn find_order(&self, reference: &str) -> Result<Option<Received>, StoreError> {
                self.find_sandbox_order(reference).await
            }

            async fn accept_code(
                &self,
                reference: &str,
                at: Timestamp,
            ) -> Result<Option<Received>, StoreError> {
                self.write(InDoubt::Retry, reference.to_owned(), async move |db, reference| {
                    let sql = concat!(
                        "UPDATE sandbox_orders SET code_accepted_at = coalesce(code_accepted_at, $2)
                         WHERE reference = $1 AND cancelled_at IS NULL RETURNING ",
                        received_columns!()
                    );
                    let found = Sql::query_opt(db, sql, &[reference, &at]).await?;
                    found.as_ref().map(rows::received).transpose()
                })
                .await
            }

            async fn decide(
                &self,
                reference: &str,
                decision: Decision,
                at: Timestamp,
            ) -> Result<Option<Received>, StoreError> {
                self.write(InDoubt::Retry, reference.to_owned(), async move |db, reference| {
                    let sql = concat!(
                        "UPDATE sandbox_orders SET decision = $2, decided_at = $3
                         WHERE reference = $1 AND decision IS NULL AND cancelled_at IS NULL
                         RETURNING ",
                        received_columns!()
                    );
                    let decision = decision.as_str();
                    let found = Sql::query_opt(db, sql, &[reference, &decision, &at]).await?;
                    found.as_ref().map(rows::received).transpose()
                })
                .await
            }

            async fn cancel(&self, reference: &str, at: Timestamp) -> Result<bool, StoreError> {
                self.write(InDoubt::Retry, reference.to_owned(), async move |db, reference| {
                    let sql = "UPDATE sandbox_orders SET cancelled_at = coalesce(cancelled_at, $2)
                               WHERE reference = $1 AND code_accepted_at IS NULL";
                    Ok(Sql::execute(db, sql, &[reference, &at]).await? > 0)
                })
                .await
            }

            /// Behind the queued writes, because the simulated phone asks right after an insert.
            async fn orders_since(&self, at: Timestamp) -> Result<Vec<Received>, StoreError> {
                self.read_written(at, async |db, at| {
                    let sql = concat!(
                        "SELECT ",
                        received_columns!(),
                        " FROM sandbox_orders WHERE received_at >= $1
                          ORDER BY received_at DESC LIMIT 100"
                    );
                    Sql::query(db, sql, &[at]).await?.iter().map(rows::received).collect()
                })
                .await
            }

            async fn orders_received(
                &self,
                time: Range<Timestamp>,
                limit: u32,
            ) -> Result<Vec<Received>, StoreError> {
                self.read_many(time, async move |db, time| {
                    let sql = concat!(
                        "SELECT ",
                        received_columns!(),
                        " FROM sandbox_orders WHERE received_at >= $1 AND received_at < $2
                          ORDER BY received_at, reference LIMIT $3"
                    );
                    let found = Sql::query(db, sql, &[&time.start, &time.end, &limit]).await?;
                    found.iter().map(rows::received).collect()
                })
                .await
            }
        }
    };
}
implement_for!(SqliteStore);
implement_for!(PostgresStore);
