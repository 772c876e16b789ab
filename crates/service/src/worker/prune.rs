//! Forgets what has had its time, in steps so small that no write waits for one.

use crate::{app::App, domain::retention::Horizon};
use jiff::SignedDuration;
use std::sync::Arc;
use tracing::error;

/// How many rows of each kind are forgotten in one step: a few milliseconds of a writing thread.
const AT_ONCE: u32 = 100;

/// Between two steps while there is more: forgets faster than one node can take requests in.
const PAUSE: SignedDuration = SignedDuration::from_millis(25);

/// Between two looks.
const IDLE: SignedDuration = SignedDuration::from_mins(1);

pub(super) async fn run(app: Arc<App>) {
    loop {
        let now = app.clock.now();
        let more = match app.store.prune(Horizon::at(now), AT_ONCE).await {
            Ok(pruned) => {
                app.metrics.pruned(pruned);
                pruned.by_kind().iter().any(|(_, rows)| *rows >= u64::from(AT_ONCE))
            }
            Err(error) => {
                error!(%error, "what has had its time could not be forgotten; trying again in a minute");
                false
            }
        };
        tokio::select! {
            () = app.clock.sleep_until(now + if more { PAUSE } else { IDLE }) => {}
            () = app.stopping.cancelled() => return,
        }
    }
}
