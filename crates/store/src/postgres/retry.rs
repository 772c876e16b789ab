//! Retries of transactions that failed with a transient error.

use backon::{ExponentialBuilder, Retryable};
use std::time::{Duration, Instant};
use tua_sql::postgres::error::{Error, Result};

/// For how long a transaction is retried. A database that restarts is back within seconds; after
/// that the client should retry, instead of keeping its request open.
pub(super) const MAX_RETRY_TIME: Duration = Duration::from_secs(5);

/// Delays from 4 ms to 500 ms with jitter, so that transactions which collided do not collide
/// again.
pub(super) const fn backoff() -> ExponentialBuilder {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(4))
        .with_max_delay(Duration::from_millis(500))
        .with_jitter()
        .without_max_times()
}

/// Retries `attempt` while it fails with a transient error, for at most [`MAX_RETRY_TIME`].
pub(super) async fn retry_transient<T, Attempt>(attempt: impl FnMut() -> Attempt) -> Result<T>
where
    Attempt: Future<Output = Result<T>>,
{
    let started = Instant::now();
    attempt
        .retry(backoff())
        .when(|error: &Error| error.is_transient() && started.elapsed() < MAX_RETRY_TIME)
        .notify(|error, _| tracing::debug!(%error, "retrying a transaction"))
        .await
}
