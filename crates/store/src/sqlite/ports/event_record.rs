//! What this engine does in its own way of the [`tua_domain::ports::EventRecord`] port.

use crate::{in_doubt::InDoubt, sqlite::SqliteStore};
use std::time::Duration;
use tua_domain::{
    DeliveryId,
    ports::StoreError,
    webhook::record::{EventBarrier, RecordState},
};

impl SqliteStore {
    /// Does not wait. There is one writer: no transaction runs while a record begins.
    #[expect(clippy::unused_async, reason = "PostgreSQL waits here")]
    pub(crate) async fn await_concurrent(&self) -> Result<RecordState, StoreError> {
        Ok(RecordState::Complete)
    }

    /// As [`tua_domain::ports::EventRecord::event_barrier`]. There is one writer: what was begun
    /// before this transaction has ended when it ends.
    pub(crate) async fn make_event_barrier(&self) -> Result<EventBarrier, StoreError> {
        let position = DeliveryId::lower_bound(Duration::ZERO);
        self.write(InDoubt::Retry, (), async |_, ()| Ok(())).await?;
        Ok(EventBarrier { position, transaction: None })
    }

    /// As [`tua_domain::ports::EventRecord::is_complete`].
    pub(crate) async fn is_event_barrier_complete(
        &self,
        _: &EventBarrier,
    ) -> Result<bool, StoreError> {
        Ok(true)
    }
}
