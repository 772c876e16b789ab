//! What this engine does in its own way of the [`tua_domain::ports::EventRecord`] port.
//!
//! Transactions commit in another order than their events were minted. So the record is complete
//! before a point in time only when every transaction has ended that ran then.

use crate::{columns::text, postgres::PostgresStore, sql::MissingRow};
use std::time::Duration;
use tua_domain::{DeliveryId, ports::StoreError, webhook::record::EventBarrier};

/// How much the clocks of nodes may differ: each mints ids by its own.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_secs(2);

impl PostgresStore {
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
