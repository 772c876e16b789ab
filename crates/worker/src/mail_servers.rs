//! Maintains the stored mail servers of accounts.

use std::time::Duration;
use tracing::error;
use tua_use_cases::MailServers;

/// The interval between two rounds, in real time.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(60);

/// Encrypts with the current server key what an earlier one encrypted, and deletes settings of mail
/// servers that are no longer used, until the service stops.
pub async fn run(servers: MailServers) {
    loop {
        if let Err(error) = servers.maintain().await {
            error!(%error, "the mail servers of accounts could not be maintained; trying again");
        }
        tokio::time::sleep(MAINTENANCE_INTERVAL).await;
    }
}
