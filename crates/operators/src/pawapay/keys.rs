//! pawaPay's public keys, for the signatures of callbacks.

use super::{authorization::authorized, signatures::PublicKey, wire::PublicKeyBody};
use crate::connection::{Call, Connection, Reply};
use reqwest::StatusCode;
use secrecy::SecretString;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// The time limit of a read.
const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a callback waits for a read. pawaPay sends it again.
const CALLBACK_WAIT: Duration = Duration::from_millis(700);

/// How often keys are read again because a callback names one that is not known.
const MIN_INTERVAL: Duration = Duration::from_secs(60);

/// The keys that pawaPay publishes.
#[derive(Debug)]
pub(super) struct Keys {
    connection: Arc<Connection>,
    api_token: SecretString,
    known: Mutex<Vec<PublicKey>>,
    /// When they were last read because of a callback, by the clock's uptime. Locked during that
    /// read, so that callbacks that come meanwhile wait for it.
    asked_at: tokio::sync::Mutex<Option<Duration>>,
}

impl Keys {
    pub(super) fn new(connection: Arc<Connection>, api_token: SecretString) -> Self {
        Self {
            connection,
            api_token,
            known: Mutex::default(),
            asked_at: tokio::sync::Mutex::default(),
        }
    }

    /// The keys for a callback that names this one. If it is not known, they are read, at most once
    /// a minute. A read that takes longer than a callback may wait goes on, for the callback when
    /// it is sent again.
    pub(super) async fn for_callback(self: &Arc<Self>, id: &str) -> Vec<PublicKey> {
        if !self.has(id) {
            let keys = self.clone();
            let id = id.to_owned();
            let read = tokio::spawn(async move { keys.fetch_if_unknown(&id).await });
            drop(tokio::time::timeout(CALLBACK_WAIT, read).await);
        }
        self.lock().clone()
    }

    async fn fetch_if_unknown(&self, id: &str) {
        let mut asked_at = self.asked_at.lock().await;
        let now = self.connection.clock().uptime();
        let is_recent = asked_at.is_some_and(|asked_at| now < asked_at + MIN_INTERVAL);
        if !is_recent && !self.has(id) {
            *asked_at = Some(now);
            self.fetch().await;
        }
    }

    /// Requests the keys. Returns whether pawaPay published any; otherwise the known ones remain.
    pub(super) async fn fetch(&self) -> bool {
        let call =
            authorized(Call::get("/v2/public-key/http"), &self.api_token).timeout(READ_TIMEOUT);
        let Reply::Response(response) = self.connection.call(call).await else { return false };
        let bodies: Option<Vec<PublicKeyBody>> =
            response.json().filter(|_| response.status == StatusCode::OK);
        let keys: Vec<_> = bodies.unwrap_or_default().into_iter().filter_map(parse).collect();
        let has_keys = !keys.is_empty();
        if has_keys {
            *self.lock() = keys;
        }
        has_keys
    }

    fn has(&self, id: &str) -> bool {
        self.lock().iter().any(|key| key.id == id)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PublicKey>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(body: PublicKeyBody) -> Option<PublicKey> {
    let block = pem::parse(&body.key).ok()?;
    Some(PublicKey { id: body.id, der: block.into_contents() })
}
