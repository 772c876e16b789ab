//! Whether the service can do its work right now, as `/readyz` tells it.

use crate::{app::App, domain::ports::StoreError};
use jiff::{SignedDuration, Timestamp};
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::sync::Mutex;

/// How long the store may take to write.
const PATIENCE: SignedDuration = SignedDuration::from_secs(2);

/// How long a write that succeeded is believed, so that a crowd of questions is one write.
const FRESH: SignedDuration = SignedDuration::from_secs(1);

/// How long due work may go without being looked for; usually that is done every second.
const STALLED: SignedDuration = SignedDuration::from_secs(30);

/// Why the service cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum NotReady {
    /// It was told to stop.
    #[error("The service is stopping.")]
    Stopping,
    /// Nobody looks for due work any more.
    #[error("A worker of the service has stopped looking for due work.")]
    Stalled,
    /// The store has not written within two seconds.
    #[error("The database takes too long to write.")]
    Slow,
    /// The store cannot write.
    #[error("The database cannot be written to.")]
    Store(#[from] StoreError),
}

/// Who looks for due work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worker {
    /// Asks operators about what is pending.
    Questions,
    /// Tells merchants.
    Webhooks,
}

/// What is known of the service's own health.
#[derive(Debug)]
pub struct Readiness {
    /// When each worker has looked last, in milliseconds since 1970.
    turned_at: [AtomicI64; 2],
    wrote_at: Mutex<Option<Timestamp>>,
}

impl Readiness {
    /// Of a service that starts now.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self { turned_at: [(); 2].map(|()| AtomicI64::new(now.as_millisecond())), wrote_at: Mutex::default() }
    }

    /// This worker has looked for due work.
    pub fn worker_turned(&self, worker: Worker, now: Timestamp) {
        self.turned_at[worker as usize].store(now.as_millisecond(), Ordering::Relaxed);
    }

    fn is_stalled(&self, now: Timestamp) -> bool {
        self.turned_at.iter().any(|at| {
            let at = Timestamp::from_millisecond(at.load(Ordering::Relaxed));
            at.is_ok_and(|at| now.duration_since(at) > STALLED)
        })
    }

    async fn write(&self, app: &App) -> Result<(), StoreError> {
        // One question at a time, so that a store that is stuck does not gather more work.
        let mut wrote_at = self.wrote_at.lock().await;
        let now = app.clock.now();
        if wrote_at.is_some_and(|at| (SignedDuration::ZERO..FRESH).contains(&now.duration_since(at))) {
            return Ok(());
        }
        app.store.is_ready(now).await?;
        *wrote_at = Some(now);
        Ok(())
    }
}

/// Whether the service can do its work, within two seconds.
///
/// # Errors
/// Why it cannot.
pub async fn check(app: &App) -> Result<(), NotReady> {
    let now = app.clock.now();
    if app.stopping.is_cancelled() {
        return Err(NotReady::Stopping);
    }
    if app.readiness.is_stalled(now) {
        return Err(NotReady::Stalled);
    }
    tokio::select! {
        written = app.readiness.write(app) => Ok(written?),
        () = app.clock.sleep_until(now + PATIENCE) => Err(NotReady::Slow),
    }
}
