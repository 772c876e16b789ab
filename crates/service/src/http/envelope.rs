//! What every answer is wrapped in: a request id, a log line, and a problem document where refused.

use super::problem::{Refused, internal};
use crate::{app::App, secret::random_bytes};
use axum::{
    body::Body,
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::{any::Any, sync::Arc, time::Instant};
use tracing::{Instrument, error, error_span, info};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest request id of a caller's that is echoed.
const LONGEST_ID: usize = 128;

/// Wraps a request and its answer.
pub(super) async fn wrap(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let id = request_id(request.headers());
    // The route as declared, never the path as sent: a path or query may hold a token.
    let route = request.extensions().get::<MatchedPath>().map_or("(no route)", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    // Of the highest level, so that every line has the request's id, however few are wanted.
    let span = error_span!("request", id, %method, route);
    let started = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let (status, took) = (response.status().as_u16(), started.elapsed());
    span.in_scope(|| info!(status, duration_ms = took.as_millis(), "answered"));
    app.metrics.request_answered(method.as_str(), &route, status, took);

    if let Some(Refused(error)) = response.extensions_mut().remove() {
        *response.body_mut() = Body::from(error.document(&app.public_url, &id));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.remove(header::CONTENT_LENGTH);
    }
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    response
}

/// Answers for a request that panicked.
pub(super) fn panicked(_: Box<dyn Any + Send>) -> Response {
    error!("a request panicked");
    internal().into_response()
}

/// The caller's id where it is sane, and else one of ours.
fn request_id(headers: &HeaderMap) -> String {
    let sent = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let sane = sent.filter(|id| {
        (1..=LONGEST_ID).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
    });
    sane.map_or_else(|| format!("req_{}", URL_SAFE_NO_PAD.encode(random_bytes::<12>())), str::to_owned)
}
