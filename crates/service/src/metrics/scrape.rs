//! `/metrics`, on a listener of its own: whoever reaches it reads how the business goes.

use crate::app::App;
use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use prometheus_client::encoding::text::encode;
use std::sync::Arc;
use tracing::error;

/// The text format of OpenMetrics 1.0.
const FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Everything that the listener answers.
pub fn router(app: Arc<App>) -> Router {
    Router::new().route("/metrics", get(scrape)).with_state(app)
}

async fn scrape(State(app): State<Arc<App>>) -> Response {
    // Without them the rest still tells what is wrong.
    match app.store.pending(app.clock.now()).await {
        Ok(counts) => app.metrics.set_pending(&counts),
        Err(error) => error!(%error, "pending transactions could not be counted"),
    }
    let mut text = String::new();
    match encode(&mut text, &app.metrics.registry) {
        Ok(()) => ([(header::CONTENT_TYPE, FORMAT)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
