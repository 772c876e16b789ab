//! Loads the operators that people connect in the dashboard, without a restart.

use std::time::Duration;
use tracing::error;
use tua_use_cases::OperatorConnections;

/// The interval between two loads, in real time, since it is between processes. Other nodes usually
/// tell of a change at once; this finds what they could not tell. A node that has not loaded a
/// change yet sends nothing to another operator: what it does not know, it does not serve.
const LOAD_INTERVAL: Duration = Duration::from_secs(5);

/// Loads them until the service stops.
pub async fn run(connections: OperatorConnections) {
    loop {
        tokio::select! {
            () = connections.load_requested() => {}
            () = tokio::time::sleep(LOAD_INTERVAL) => {}
        }
        if let Err(error) = connections.load().await {
            error!(%error, "connected operators could not be loaded; trying again");
        }
    }
}
