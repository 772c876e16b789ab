//! What the command line writes into the file of a running service, such as `tua review settle`: nobody tells of
//! it, so that it is looked for. On the real time, since it lies between processes.

use crate::app::App;
use std::{sync::Arc, time::Duration};
use tracing::warn;

/// How soon a payer who waits hears of it.
const LOOK: Duration = Duration::from_secs(1);

pub(super) async fn run(app: Arc<App>) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = app.stopping.cancelled() => return,
        }
        let awaited = app.changes.watched_ids();
        if awaited.is_empty() {
            continue;
        }
        match app.store.changed_externally().await {
            Ok(true) => awaited.iter().for_each(|id| app.changes.notify_local(id)),
            Ok(false) => {}
            Err(error) => warn!(%error, "what was written beside the service could not be looked for; trying again"),
        }
    }
}
