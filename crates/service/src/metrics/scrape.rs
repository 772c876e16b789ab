//! `/metrics`, on its own listener, because the metrics reveal how much business the merchant does.

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

/// The media type of OpenMetrics 1.0 in its text format.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The router of the metrics listener.
pub fn router(app: Arc<App>) -> Router {
    Router::new().route("/metrics", get(scrape)).with_state(app)
}

async fn scrape(State(app): State<Arc<App>>) -> Response {
    // The other metrics are still useful without these gauges, even more so when the store fails.
    match app.store.pending(app.clock.now()).await {
        Ok(counts) => app.metrics.set_pending(&counts),
        Err(error) => error!(%error, "cannot count pending transactions"),
    }
    let mut text = String::new();
    match encode(&mut text, &app.metrics.registry) {
        Ok(()) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
