//! Encrypts the stored mail servers of accounts again after a change of the server key.

use std::time::Duration;
use tracing::error;
use tua_use_cases::MailServers;

/// The interval between two rounds, in real time.
const RESEAL_INTERVAL: Duration = Duration::from_secs(60);

/// Encrypts with the current server key what an earlier one encrypted, until the service stops.
pub async fn run(servers: MailServers) {
    loop {
        if let Err(error) = servers.reseal().await {
            error!(%error, "the mail servers of accounts could not be encrypted again; trying again");
        }
        tokio::time::sleep(RESEAL_INTERVAL).await;
    }
}
