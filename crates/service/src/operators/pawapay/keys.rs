//! pawaPay's public keys, for the signatures of callbacks.

use super::{signatures::PublicKey, wire::PublicKeyBody};
use crate::operators::connection::Response;
use reqwest::StatusCode;
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How often keys are read again because a callback names one that is not known.
const MIN_INTERVAL: Duration = Duration::from_secs(60);

/// The keys that pawaPay publishes.
#[derive(Debug, Default)]
pub(super) struct Keys {
    known: Mutex<Known>,
    /// Held during a read, so that callbacks that come meanwhile wait for it.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Known {
    keys: Vec<PublicKey>,
    /// When they were last asked for, by the clock's uptime.
    asked_at: Option<Duration>,
}

impl Keys {
    /// The known keys.
    pub(super) fn all(&self) -> Vec<PublicKey> {
        self.lock().keys.clone()
    }

    /// Whether this key is known.
    pub(super) fn has(&self, id: &str) -> bool {
        self.lock().keys.iter().any(|key| key.id == id)
    }

    /// Waits until nobody reads the keys. Nobody else begins while the guard is held.
    pub(super) async fn wait_for_reads(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.reading.lock().await
    }

    /// Whether the keys should be read now because this one is not known. `true` at most once a minute.
    pub(super) fn begin_read_for(&self, id: &str, uptime: Duration) -> bool {
        let mut known = self.lock();
        let is_known = known.keys.iter().any(|key| key.id == id);
        let is_recent = known.asked_at.is_some_and(|asked_at| uptime < asked_at + MIN_INTERVAL);
        if is_known || is_recent {
            return false;
        }
        known.asked_at = Some(uptime);
        true
    }

    /// Takes over the keys of a response. Returns whether it has any; otherwise the known ones remain.
    pub(super) fn read(&self, response: &Response) -> bool {
        let bodies: Option<Vec<PublicKeyBody>> = response.json().filter(|_| response.status == StatusCode::OK);
        let keys: Vec<_> = bodies.unwrap_or_default().into_iter().filter_map(parse).collect();
        let has_keys = !keys.is_empty();
        if has_keys {
            self.lock().keys = keys;
        }
        has_keys
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(body: PublicKeyBody) -> Option<PublicKey> {
    let block = pem::parse(&body.key).ok()?;
    Some(PublicKey { id: body.id, der: block.into_contents() })
}
