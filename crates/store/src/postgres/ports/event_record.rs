//! What this engine does in its own way of the [`tua_domain::ports::EventRecord`] port.
//!
//! Transactions commit in another order than their events were minted. So the record is complete
//! before a point in time only when every transaction has ended that ran then.

use crate::{
    columns::text, in_doubt::InDoubt, postgres::PostgresStore, queries::past_events,
    sql::MissingRow,
};
use jiff::Timestamp;
use std::time::{Duration, Instant};
use tua_domain::{
    DeliveryId, Scope,
    ports::StoreError,
    webhook::record::{EventBarrier, record_id},
};

/// How much the clocks of nodes may differ: each mints ids by its own.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_secs(2);

/// The transactions that ran when a record began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Concurrent {
    /// All of them have ended.
    Ended,
    /// Some of them run longer than the record waits.
    Running,
}

/// How long a record that has just begun waits for the transactions that did not see it.
const CONCURRENT_TIMEOUT: Duration = Duration::from_secs(5);

/// The interval at which it is checked whether they have ended.
const CONCURRENT_INTERVAL: Duration = Duration::from_millis(20);

impl PostgresStore {
    /// Adds the events of transactions that ran when a record began: they did not see it, and it
    /// did not see them. The record stays as it is if this fails.
    pub(crate) async fn add_concurrent_events(&self, scope: &Scope, now: Timestamp) {
        let added = async {
            let concurrent = self.await_concurrent().await?;
            self.write(InDoubt::Retry, scope.clone(), async move |db, scope| {
                past_events::insert(db, scope, now).await
            })
            .await?;
            Ok::<_, StoreError>(concurrent)
        };
        let record = record_id(scope);
        match added.await {
            Ok(Concurrent::Ended) => {}
            Ok(Concurrent::Running) => tracing::warn!(
                %record,
                "a record of events began while a long transaction ran; its events are missing"
            ),
            Err(error) => tracing::warn!(
                %record, %error, "events of the moment at which a record began may be missing"
            ),
        }
    }

    /// Waits until the transactions have ended that run now, at most [`CONCURRENT_TIMEOUT`].
    async fn await_concurrent(&self) -> Result<Concurrent, StoreError> {
        let started = Instant::now();
        let barrier = self.make_event_barrier().await?;
        while !self.is_event_barrier_complete(&barrier).await? {
            if started.elapsed() >= CONCURRENT_TIMEOUT {
                return Ok(Concurrent::Running);
            }
            tokio::time::sleep(CONCURRENT_INTERVAL).await;
        }
        Ok(Concurrent::Ended)
    }

    /// As [`tua_domain::ports::EventRecord::event_barrier`]. A transaction has its id before it
    /// mints the ids of its events (`postgres/tx_runner.rs`). So the events before the position are
    /// of transactions with lower ids than this one.
    ///
    /// # Errors
    /// Those of the port.
    pub(crate) async fn make_event_barrier(&self) -> Result<EventBarrier, StoreError> {
        let position = DeliveryId::lower_bound(MAX_CLOCK_DIFFERENCE);
        // The highest id that a snapshot shows is not the highest id that is assigned.
        let sql = "SELECT pg_current_xact_id()::text AS transaction";
        let assigned = self.tx.read(|db| async move {
            let row = db.query_opt(sql, &[]).await?.ok_or(MissingRow)?;
            text(&row, "transaction")
        });
        Ok(EventBarrier { position, transaction: Some(assigned.await?) })
    }

    /// As [`tua_domain::ports::EventRecord::is_complete`].
    ///
    /// # Errors
    /// Those of the port.
    pub(crate) async fn is_event_barrier_complete(
        &self,
        barrier: &EventBarrier,
    ) -> Result<bool, StoreError> {
        let Some(transaction) = &barrier.transaction else { return Ok(true) };
        let sql = "SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8";
        self.tx
            .read(|db| async move { Ok(db.query_opt(sql, &[transaction]).await?.is_some()) })
            .await
    }
}
