//! How much memory the files that people upload at the same time may take.

use super::error::DashboardError;
use axum::http::StatusCode;
use std::time::Duration;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

/// The sum of the largest sizes of all forms with files that are read at the same time, in KiB: 64
/// MiB. A form is in memory up to three times.
const MAX_KIB: usize = 64 << 10;

/// A form of a file is at most a quarter of the memory, so that one person cannot keep all others
/// waiting.
const MAX_FORM_KIB: usize = MAX_KIB / 4;

static FREE_KIB: Semaphore = Semaphore::const_new(MAX_KIB);

/// Waits until there is memory for a form of at most so many bytes, and reserves it until the
/// permit is dropped.
///
/// # Errors
/// [`DashboardError::Failed`] with 503 if there is none within this time.
pub(super) async fn reserve(
    bytes: usize,
    within: Duration,
) -> Result<SemaphorePermit<'static>, DashboardError> {
    let kib = u32::try_from(bytes.div_ceil(1 << 10).min(MAX_FORM_KIB)).unwrap_or_default();
    match timeout(within, FREE_KIB.acquire_many(kib)).await {
        Ok(Ok(permit)) => Ok(permit),
        Ok(Err(_)) | Err(_) => Err(DashboardError::Failed(StatusCode::SERVICE_UNAVAILABLE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn four_large_files_are_read_at_the_same_time_and_the_fifth_waits() {
        let within = Duration::from_millis(1);
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(reserve(16 << 20, within).await.unwrap());
        }
        assert!(reserve(1, within).await.is_err(), "there is no memory meanwhile");
        held.pop();
        assert!(reserve(16 << 20, within).await.is_ok());
        drop(held);
        assert!(reserve(usize::MAX, within).await.is_ok(), "no form is too large to wait for");
    }
}
