//! What this engine does in its own way of the [`tua_domain::ports::EventRecord`] port.
//!
//! Transactions commit in another order than their events were minted. So the record is complete
//! before a point in time only when every transaction has ended that ran then.

use crate::postgres::PostgresStore;
use std::time::{Duration, Instant};
use tua_domain::{
    DeliveryId,
    ports::StoreError,
    webhook::record::{EventBarrier, RecordState},
};
use tua_sql::{columns::text, sql::MissingRow};

/// How much the clocks of nodes may differ: each mints ids by its own.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_secs(2);

/// How long a request waits for the transactions that did not see a record.
const CONCURRENT_TIMEOUT: Duration = Duration::from_secs(5);

/// The interval at which it is checked whether they have ended.
const CONCURRENT_INTERVAL: Duration = Duration::from_millis(20);

impl PostgresStore {
    /// Waits until the transactions have ended that run now, at most [`CONCURRENT_TIMEOUT`]: they
    /// may not have seen a record that has just begun. Returns what the state of the record is once
    /// the events are inserted that are committed then.
    pub(crate) async fn await_concurrent(&self) -> Result<RecordState, StoreError> {
        let started = Instant::now();
        let barrier = self.make_event_barrier().await?;
        while !self.is_event_barrier_complete(&barrier).await? {
            if started.elapsed() >= CONCURRENT_TIMEOUT {
                return Ok(RecordState::Incomplete);
            }
            tokio::time::sleep(CONCURRENT_INTERVAL).await;
        }
        Ok(RecordState::Complete)
    }

    /// As [`tua_domain::ports::EventRecord::event_barrier`]. A transaction has its id before it
    /// mints the ids of its events (`postgres/tx_runner.rs`). So the events before the position are
    /// of transactions with lower ids than this one.
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
