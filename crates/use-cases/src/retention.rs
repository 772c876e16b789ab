//! Deletes what is past its retention time.

use std::sync::Arc;
use tua_domain::{
    ports::{self, StoreError},
    retention::{Horizon, Pruned},
    steady_time::SteadyTime,
};

/// How many rows of each kind one step deletes: a few milliseconds of a writing thread.
const STEP_ROWS: u32 = 100;

/// Deletes rows past their retention time, in steps so small that no write waits long.
#[derive(Debug)]
pub struct Retention {
    /// Deletes rows whose retention time is over.
    pub retention: Arc<dyn ports::Retention>,
    /// Decides what is past its retention time.
    pub time: SteadyTime,
}

/// What one step has deleted.
#[derive(Clone, Copy, Debug)]
pub struct PruneStep {
    /// How many rows of each kind.
    pub pruned: Pruned,
    /// Whether there may be more to delete.
    pub has_more: bool,
}

impl Retention {
    /// Deletes the next rows.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn prune(&self) -> Result<PruneStep, StoreError> {
        let pruned = self.retention.prune(Horizon::at(self.time.now()), STEP_ROWS).await?;
        Ok(PruneStep { pruned, has_more: pruned.has_more(STEP_ROWS) })
    }
}
