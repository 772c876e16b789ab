//! Loads the operators that people connect in the dashboard, without a restart.

use std::time::Duration;
use tracing::error;
use tua_use_cases::OperatorConnections;

/// The interval between two loads, in real time, since it is between processes. Other nodes usually
/// publish a change at once; this finds a change whose message was lost. Before a node has loaded
/// an entry, its payments get no operator.
const LOAD_INTERVAL: Duration = Duration::from_secs(5);

/// Loads them until the service stops, and encrypts with the current server key what an earlier key
/// encrypted.
pub async fn run(connections: OperatorConnections) {
    loop {
        tokio::select! {
            () = connections.load_requested() => {}
            () = tokio::time::sleep(LOAD_INTERVAL) => {}
        }
        if let Err(error) = connections.load().await {
            error!(%error, "connected operators could not be loaded; trying again");
        }
        if let Err(error) = connections.reseal().await {
            error!(%error, "credentials could not be encrypted with the current key; trying again");
        }
    }
}
