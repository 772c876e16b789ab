//! Controls the service over HTTP, for tests that run in a browser: `POST /advance?seconds=N`,
//! `/stop`, `/start`.

use crate::TestService;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::post;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tower_http::cors::CorsLayer;

type Shared = Arc<Mutex<TestService>>;
type Response = Result<StatusCode, (StatusCode, String)>;

#[derive(Deserialize)]
struct Advance {
    seconds: u64,
}

/// The routes. Any page may call them, because the service is only for tests.
pub fn router(service: TestService) -> Router {
    Router::new()
        .route("/advance", post(advance))
        .route("/stop", post(stop))
        .route("/start", post(start))
        .layer(CorsLayer::permissive())
        .with_state(Arc::new(Mutex::new(service)))
}

async fn advance(State(service): State<Shared>, Query(advance): Query<Advance>) -> StatusCode {
    service.lock().await.advance(Duration::from_secs(advance.seconds));
    StatusCode::NO_CONTENT
}

async fn stop(State(service): State<Shared>) -> Response {
    done(service.lock().await.stop().await)
}

async fn start(State(service): State<Shared>) -> Response {
    done(service.lock().await.start_again().await)
}

fn done(outcome: anyhow::Result<()>) -> Response {
    match outcome {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(error) => Err((StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}"))),
    }
}
