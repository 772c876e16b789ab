//! Whether the service can do its work right now, as `/readyz` reports it.

use crate::domain::ports::{Clock, Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// How long the store may take for a write.
const WRITE_TIMEOUT: SignedDuration = SignedDuration::from_secs(2);

/// How long a successful write counts, so that many requests cause one write.
const WRITE_FRESH_FOR: SignedDuration = SignedDuration::from_secs(1);

/// A worker that has not looked for due work for so long has stalled. Usually each looks every second.
const STALLED_AFTER: SignedDuration = SignedDuration::from_secs(30);

/// Why the service cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum NotReady {
    /// It was told to stop.
    #[error("The service is stopping.")]
    Stopping,
    /// A worker does not look for due work any more.
    #[error("A worker of the service has stopped looking for due work.")]
    Stalled,
    /// The store has not written within 2 s.
    #[error("The database takes too long to write.")]
    Slow,
    /// The store cannot write.
    #[error("The database cannot be written to.")]
    Store(#[from] StoreError),
}

/// The workers that look for due work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worker {
    /// Asks operators for the status of pending transactions.
    Reconciliation,
    /// Sends webhooks.
    Webhooks,
}

/// What is known of the service's own health.
#[derive(Debug)]
pub struct Readiness {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    stopping: CancellationToken,
    /// When each worker last looked for due work, in milliseconds since 1970.
    looked_at_ms: [AtomicI64; 2],
    wrote_at: Mutex<Option<Timestamp>>,
}

impl Readiness {
    /// The health of a service that starts now.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, stopping: CancellationToken) -> Self {
        let looked_at_ms = [(); 2].map(|()| AtomicI64::new(clock.now().as_millisecond()));
        Self { store, clock, stopping, looked_at_ms, wrote_at: Mutex::default() }
    }

    /// Records that a worker looks for due work at this time.
    pub fn worker_looked(&self, worker: Worker, now: Timestamp) {
        self.looked_at_ms[worker as usize].store(now.as_millisecond(), Ordering::Relaxed);
    }

    /// Whether the service can do its work. Returns within 2 s.
    ///
    /// # Errors
    /// [`NotReady`]: why it cannot.
    pub async fn check(&self) -> Result<(), NotReady> {
        let now = self.clock.now();
        if self.stopping.is_cancelled() {
            return Err(NotReady::Stopping);
        }
        if self.is_stalled(now) {
            return Err(NotReady::Stalled);
        }
        tokio::select! {
            written = self.write() => Ok(written?),
            () = self.clock.sleep_until(now + WRITE_TIMEOUT) => Err(NotReady::Slow),
        }
    }

    fn is_stalled(&self, now: Timestamp) -> bool {
        self.looked_at_ms.iter().any(|at| {
            let at = Timestamp::from_millisecond(at.load(Ordering::Relaxed));
            at.is_ok_and(|at| now.duration_since(at) > STALLED_AFTER)
        })
    }

    async fn write(&self) -> Result<(), StoreError> {
        // One write at a time, so that a stuck store does not gather more work.
        let mut wrote_at = self.wrote_at.lock().await;
        let now = self.clock.now();
        if wrote_at.is_some_and(|at| (SignedDuration::ZERO..WRITE_FRESH_FOR).contains(&now.duration_since(at))) {
            return Ok(());
        }
        self.store.is_ready(now).await?;
        *wrote_at = Some(now);
        Ok(())
    }
}
