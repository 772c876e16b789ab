//! Reads the sandbox clocks that other processes advance, such as `tua sandbox clock advance`.

use std::time::Duration;
use tracing::error;
use tua_use_cases::SandboxClock;

/// The interval between two reads, in real time, since it is between processes.
const LOAD_INTERVAL: Duration = Duration::from_millis(250);

/// Reads them until the service stops.
pub async fn run(sandbox_clock: SandboxClock) {
    let mut has_failed = false;
    loop {
        tokio::time::sleep(LOAD_INTERVAL).await;
        let loaded = sandbox_clock.load().await;
        // Once for a row of failures.
        if let Err(error) = &loaded
            && !has_failed
        {
            error!(%error, "sandbox clocks could not be read; trying again");
        }
        has_failed = loaded.is_err();
    }
}
