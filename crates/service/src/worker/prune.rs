//! Deletes rows after their retention period, in steps that are too short to delay a write.

use crate::{app::App, domain::retention::Horizon};
use jiff::SignedDuration;
use std::sync::Arc;
use tracing::error;

/// Rows of each kind per step: a few milliseconds of the writer's time.
const STEP_ROWS: u32 = 100;

/// The delay between two steps while more rows remain. Rows are deleted faster than one node can insert them.
const PAUSE: SignedDuration = SignedDuration::from_millis(25);

/// The delay after everything is deleted.
const IDLE: SignedDuration = SignedDuration::from_mins(1);

pub(super) async fn run(app: Arc<App>) {
    loop {
        let now = app.clock.now();
        let more = match app.store.prune(Horizon::at(now), STEP_ROWS).await {
            Ok(pruned) => {
                app.metrics.pruned(pruned);
                pruned.by_kind().iter().any(|(_, rows)| *rows >= u64::from(STEP_ROWS))
            }
            Err(error) => {
                error!(%error, "cannot delete expired rows; trying again in a minute");
                false
            }
        };
        tokio::select! {
            () = app.clock.sleep_until(now + if more { PAUSE } else { IDLE }) => {}
            () = app.stopping.cancelled() => return,
        }
    }
}
