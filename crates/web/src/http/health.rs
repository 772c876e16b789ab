//! `GET /healthz` and `GET /readyz`: liveness and readiness.

use super::problem::ApiError;
use axum::extract::State;
use std::sync::Arc;
use tua_contract::ErrorCode;
use tua_use_cases::Readiness;

/// The process is alive.
pub(super) async fn is_alive() -> &'static str {
    "ok\n"
}

/// The store accepts writes, the workers run, and the service is not stopping.
pub(super) async fn is_ready(
    State(readiness): State<Arc<Readiness>>,
) -> Result<&'static str, ApiError> {
    readiness.check().await.map_err(|why| {
        tracing::warn!(%why, "not ready");
        ApiError::new(ErrorCode::ServiceUnavailable, why.to_string())
    })?;
    Ok("ready\n")
}
