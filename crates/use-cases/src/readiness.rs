//! Whether the service can do its work right now, as `/readyz` reports it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use tua_domain::ports::{self, Clock, StoreError};

/// How long the store may take for a write.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a successful write counts, so that many requests cause one write.
const WRITE_FRESH_FOR: Duration = Duration::from_secs(1);

/// A worker that has not looked for due work for so long has stalled. Usually each looks every
/// second.
const STALLED_AFTER: Duration = Duration::from_secs(30);

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
    /// Sends the webhook deliveries of the outbox that are due.
    Webhooks,
}

/// What is known of the service's own health.
#[derive(Debug)]
pub struct Readiness {
    /// Whether a commit succeeds.
    readiness: Arc<dyn ports::Readiness>,
    clock: Arc<dyn Clock>,
    stopping: CancellationToken,
    /// When each worker last looked for due work, in milliseconds of the uptime.
    looked_at_ms: [AtomicU64; 2],
    /// The uptime at the last successful write; `None` before the first one.
    wrote_at: Mutex<Option<Duration>>,
}

impl Readiness {
    /// The health of a service that starts now.
    #[must_use]
    pub fn new(
        readiness: Arc<dyn ports::Readiness>,
        clock: Arc<dyn Clock>,
        stopping: CancellationToken,
    ) -> Self {
        let looked_at_ms = [(); 2].map(|()| AtomicU64::new(milliseconds(clock.uptime())));
        Self { readiness, clock, stopping, looked_at_ms, wrote_at: Mutex::default() }
    }

    /// Records that a worker looks for due work at this uptime.
    pub fn worker_looked(&self, worker: Worker, at: Duration) {
        self.looked_at_ms[worker as usize].store(milliseconds(at), Ordering::Relaxed);
    }

    /// Whether the service can do its work. Returns within 2 s.
    ///
    /// # Errors
    /// [`NotReady`]: why it cannot.
    pub async fn check(&self) -> Result<(), NotReady> {
        let now = self.clock.uptime();
        if self.stopping.is_cancelled() {
            return Err(NotReady::Stopping);
        }
        if self.is_stalled(now) {
            return Err(NotReady::Stalled);
        }
        tokio::select! {
            written = self.write() => Ok(written?),
            () = self.clock.sleep_until_uptime(now + WRITE_TIMEOUT) => Err(NotReady::Slow),
        }
    }

    fn is_stalled(&self, now: Duration) -> bool {
        let looked_at = |at: &AtomicU64| Duration::from_millis(at.load(Ordering::Relaxed));
        self.looked_at_ms.iter().any(|at| now.saturating_sub(looked_at(at)) > STALLED_AFTER)
    }

    async fn write(&self) -> Result<(), StoreError> {
        // One write at a time, so that a stuck store does not gather more work.
        let mut wrote_at = self.wrote_at.lock().await;
        let now = self.clock.uptime();
        if wrote_at.is_some_and(|at| now.saturating_sub(at) < WRITE_FRESH_FOR) {
            return Ok(());
        }
        self.readiness.is_ready(self.clock.now()).await?;
        *wrote_at = Some(now);
        Ok(())
    }
}

fn milliseconds(uptime: Duration) -> u64 {
    u64::try_from(uptime.as_millis()).unwrap_or(u64::MAX)
}
