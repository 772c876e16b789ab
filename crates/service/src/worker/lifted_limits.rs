//! Ends `--limits off` once a live key exists, also one that another process has made, such as `tua key create`.

use crate::domain::{
    Mode, SecretKey,
    enforcement::Enforcement,
    ports::{Clock, Store, StoreError},
};
use jiff::Timestamp;
use std::{sync::Arc, time::Duration};

/// How often to look for a live key. On real time, since the key is made by another process. The first request with a
/// live key ends `--limits off` too.
const INTERVAL: Duration = Duration::from_millis(250);

/// Looks for a live key until one exists, then enforces the limits.
pub async fn run(store: Arc<dyn Store>, clock: Arc<dyn Clock>, enforcement: Enforcement) {
    while !enforcement.is_enforced() {
        tokio::time::sleep(INTERVAL).await;
        match live_key(store.as_ref(), clock.now()).await {
            Ok(Some(_)) => enforcement.begin(),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "live keys could not be looked for; trying again"),
        }
    }
}

/// Refuses `--limits off` at the start, where a live key exists.
///
/// # Errors
/// A sentence that names the setting and the key, or the store's error.
pub async fn refuse_live_key(store: &dyn Store, now: Timestamp) -> Result<(), String> {
    let live = live_key(store, now).await.map_err(|error| error.to_string())?;
    live.map_or(Ok(()), |key| Err(format!("limits: off is refused while a live key exists ({})", key.id)))
}

async fn live_key(store: &dyn Store, now: Timestamp) -> Result<Option<SecretKey>, StoreError> {
    let keys = store.keys(None).await?;
    Ok(keys.into_iter().find(|key| key.scope.mode == Mode::Live && key.is_valid(now)))
}
