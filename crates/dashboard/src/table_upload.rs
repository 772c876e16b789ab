//! Reads uploaded tables beside the requests of payers. A workbook may unpack to many times its
//! size, so that only one is read at a time.

use super::error::DashboardError;
use axum::http::StatusCode;
use tokio::{sync::Semaphore, task::spawn_blocking};

static READERS: Semaphore = Semaphore::const_new(1);

/// Reads a table on a thread of its own, after those that were uploaded before.
pub(super) async fn read<T: Send + 'static>(
    read: impl FnOnce() -> T + Send + 'static,
) -> Result<T, DashboardError> {
    let failed = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, "a table could not be read");
        DashboardError::Failed(StatusCode::INTERNAL_SERVER_ERROR)
    };
    let _permit = READERS.acquire().await.map_err(|error| failed(&error))?;
    spawn_blocking(read).await.map_err(|error| failed(&error))
}
