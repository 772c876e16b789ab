//! Deletes what is past its retention time, in steps so small that no write waits long.

use std::{sync::Arc, time::Duration};
use tracing::error;
use tua_domain::ports::Clock;
use tua_metrics::Metrics;
use tua_use_cases::Retention;

/// The interval between two steps while there is more to delete. This deletes faster than one node
/// can accept requests.
const STEP_INTERVAL: Duration = Duration::from_millis(25);

/// The interval once nothing is left to delete, or after a failure.
const IDLE_INTERVAL: Duration = Duration::from_secs(60);

/// Deletes rows past their retention time in steps, and never returns.
pub async fn run(retention: Retention, clock: Arc<dyn Clock>, metrics: Arc<Metrics>) {
    loop {
        let began_at = clock.uptime();
        let has_more = match retention.prune().await {
            Ok(step) => {
                metrics.pruned(step.pruned);
                step.has_more
            }
            Err(error) => {
                error!(%error, "rows past their retention time could not be deleted; trying again \
                    in a minute");
                false
            }
        };
        clock
            .sleep_until_uptime(began_at + if has_more { STEP_INTERVAL } else { IDLE_INTERVAL })
            .await;
    }
}
