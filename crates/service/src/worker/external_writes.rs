//! Detects writes by other processes to the SQLite file of a running service, such as `tua review settle`. They send no
//! notification, so this worker polls. It uses real time, because the writer is another process.

use crate::app::App;
use std::{sync::Arc, time::Duration};
use tracing::warn;

/// The polling interval: the longest delay until a long poll sees such a write.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

pub(super) async fn run(app: Arc<App>) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            () = app.stopping.cancelled() => return,
        }
        let watched = app.changes.watched_ids();
        if watched.is_empty() {
            continue;
        }
        match app.store.changed_externally().await {
            Ok(true) => watched.iter().for_each(|id| app.changes.notify_local(id)),
            Ok(false) => {}
            Err(error) => warn!(%error, "cannot check for external writes; trying again"),
        }
    }
}
