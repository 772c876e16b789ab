//! `/metrics`, on its own listener, because the metrics reveal how much business the merchant does.

use super::Metrics;
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
use tua_domain::{
    ports::{Clock, Outbox, Reviews},
    routing::Operators,
};

/// The media type of OpenMetrics 1.0 in its text format.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The router of the metrics listener.
pub fn router(scraper: Scraper) -> Router {
    Router::new().route("/metrics", get(scrape)).with_state(Arc::new(scraper))
}

/// What is exported, and where gauges are counted.
#[derive(Debug)]
pub struct Scraper {
    /// The registry to export. A scrape sets some of its gauges first.
    pub metrics: Arc<Metrics>,
    /// Counts pending transactions at each scrape.
    pub reviews: Arc<dyn Reviews>,
    /// Has the webhook endpoints, of which the disabled ones are counted at each scrape.
    pub outbox: Arc<dyn Outbox>,
    /// The time at which pending transactions are counted.
    pub clock: Arc<dyn Clock>,
    /// The operators, for their breakers and balances.
    pub operators: Operators,
}

async fn scrape(State(scraper): State<Arc<Scraper>>) -> Response {
    // The other metrics are still useful without these gauges, even more so when the store fails.
    let Scraper { metrics, reviews, outbox, clock, operators } = &*scraper;
    metrics.operators.set(operators);
    match reviews.pending(clock.now()).await {
        Ok(counts) => metrics.set_pending(&counts),
        Err(error) => error!(%error, "cannot count pending transactions"),
    }
    match outbox.endpoints(None).await {
        Ok(endpoints) => metrics.set_endpoints(&endpoints),
        Err(error) => error!(%error, "cannot count webhook endpoints"),
    }
    let mut text = String::new();
    match encode(&mut text, &metrics.registry) {
        Ok(()) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
