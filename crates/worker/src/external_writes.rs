//! Finds what the command line wrote into the file of a running service, such as `tua review
//! settle`. Nobody publishes such a change, so it is looked for. It runs on real time, since it is
//! between processes.

use std::{sync::Arc, time::Duration};
use tracing::warn;
use tua_domain::{change_notifier::ChangeNotifier, ports::Store};

/// The polling interval.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Looks every second while anybody waits for a change.
pub async fn run(store: Arc<dyn Store>, changes: Arc<ChangeNotifier>) {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let awaited = changes.watched_ids();
        if awaited.is_empty() {
            continue;
        }
        match store.changed_externally().await {
            Ok(true) => awaited.iter().for_each(|id| changes.notify_local(id)),
            Ok(false) => {}
            Err(error) => {
                warn!(%error, "writes of other processes could not be looked for; trying again")
            }
        }
    }
}
