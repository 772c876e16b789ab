//! Up to where the records of events are complete, for all clients that follow them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::SeqCst},
};
use tokio::sync::Mutex;
use tua_domain::{
    DeliveryId,
    ports::{EventRecord, StoreError},
    webhook::record::EventBarrier,
};

/// Up to where the records of events are complete. One barrier serves all clients of a process, and
/// the next one is made only when it is complete. If each request made its own, transactions that
/// begin again and again would delay every one of them without end.
#[derive(Clone, Debug, Default)]
pub struct EventHorizon(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// How many checks have begun.
    checks: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of the last check that has ended.
    checked: u64,
    /// Events before this position are complete; `None` before the first barrier was.
    complete: Option<DeliveryId>,
    /// The barrier that is not complete yet.
    pending: Option<EventBarrier>,
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Completeness {
    /// Events before this position are complete; `None` for none.
    pub(super) before: Option<DeliveryId>,
    /// Whether a barrier waits for transactions: later events are complete when they have ended.
    pub(super) is_waiting: bool,
}

impl EventHorizon {
    /// Checks the barrier. Of requests that arrive during a check, one makes the next check for
    /// all; if it fails, the others get what was complete before.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn check(&self, record: &dyn EventRecord) -> Result<Completeness, StoreError> {
        let Shared { checks, state } = &*self.0;
        let arrived = checks.load(SeqCst);
        let mut state = state.lock().await;
        // A check that began after this request arrived is as good as one of its own.
        if state.checked <= arrived {
            let number = checks.fetch_add(1, SeqCst) + 1;
            // One that failed counts too: else each request that waits would repeat it in turn.
            let advanced = state.advance(record).await;
            state.checked = number;
            advanced?;
        }
        Ok(Completeness { before: state.complete.clone(), is_waiting: state.pending.is_some() })
    }
}

impl State {
    /// Checks the pending barrier, and makes the next one where it is complete.
    async fn advance(&mut self, record: &dyn EventRecord) -> Result<(), StoreError> {
        let is_earlier = self.pending.is_some();
        if self.complete_pending(record).await? && is_earlier {
            // It is of an earlier request. Later events need a newer one.
            self.complete_pending(record).await?;
        }
        Ok(())
    }

    /// Whether the pending barrier, or where there is none a new one, is complete.
    async fn complete_pending(&mut self, record: &dyn EventRecord) -> Result<bool, StoreError> {
        let barrier = match self.pending.take() {
            Some(barrier) => barrier,
            None => record.event_barrier().await?,
        };
        // Kept also if the store fails now.
        let barrier = self.pending.insert(barrier);
        if !record.is_complete(barrier).await? {
            return Ok(false);
        }
        let position = self.pending.take().map(|barrier| barrier.position);
        self.complete = self.complete.take().max(position);
        Ok(true)
    }
}
