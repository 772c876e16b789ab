//! Finds what the command line wrote into the file of a running service, such as `tua review
//! settle`. Nobody publishes such a change, so it is looked for. It runs on real time, since it is
//! between processes.

use std::time::Duration;
use tracing::warn;
use tua_use_cases::ExternalWrites;

/// The pause between two looks at the database.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Looks every second while anybody waits for a change.
pub async fn run(writes: ExternalWrites) {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        if let Err(error) = writes.notify().await {
            warn!(%error, "writes of other processes could not be looked for; trying again")
        }
    }
}
