//! How often and how long a thing is tried again.

use super::error::Result;
use crate::secret::random_bytes;
use std::time::{Duration, Instant};

/// How long a transaction is begun again. A database that restarts is back within seconds; after that a
/// caller is told to come back, rather than kept.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// The longest pause between two tries; the first is a few milliseconds.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// Begins again what may pass.
pub(super) async fn again<T, Attempt>(attempt: impl Fn() -> Attempt) -> Result<T>
where
    Attempt: Future<Output = Result<T>>,
{
    let since = Instant::now();
    let mut pauses = Pauses::default();
    loop {
        match attempt().await {
            Err(error) if error.may_pass() && since.elapsed() < PATIENCE => {
                tracing::debug!(%error, "a transaction is begun again");
                pauses.next().await;
            }
            done => return done,
        }
    }
}

/// Ever longer pauses, each a little different, so that those who lost together do not meet again.
pub(super) struct Pauses(Duration);

impl Default for Pauses {
    fn default() -> Self {
        Self(Duration::from_millis(4))
    }
}

impl Pauses {
    pub(super) async fn next(&mut self) {
        let jitter = u32::from(random_bytes::<1>()[0]);
        tokio::time::sleep(self.0 / 2 + self.0 * jitter / 512).await;
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
    }
}
