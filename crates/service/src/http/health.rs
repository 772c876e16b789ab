//! Whether the service lives, and whether it can serve.

use super::problem::ApiError;
use crate::app::App;
use axum::extract::State;
use std::sync::Arc;

/// The process answers.
pub(super) async fn is_alive() -> &'static str {
    "ok\n"
}

/// The store can be written to.
pub(super) async fn is_ready(State(app): State<Arc<App>>) -> Result<&'static str, ApiError> {
    app.store.is_ready().await?;
    Ok("ready\n")
}
