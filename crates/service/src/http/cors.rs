//! Cross-origin rules: the API is open to every page, without cookies (docs/reference/endpoints.md).

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use std::time::Duration;
use tower_http::cors::{Any, CorsLayer};

const MAX_AGE: Duration = Duration::from_secs(7200);

/// The response headers that pages may read, besides those that CORS always allows.
const EXPOSED: &str =
    "date,etag,retry-after,preference-applied,idempotency-replayed,x-request-id,ratelimit,ratelimit-policy";

/// Inserts the headers of [`layer`] into a response that does not pass through it.
pub(super) fn insert_headers(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
}

/// `Access-Control-Allow-Origin: *` on every response, errors included.
pub(super) fn layer() -> CorsLayer {
    let named = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([
            header::AUTHORIZATION,
            named("x-api-key"),
            header::CONTENT_TYPE,
            named("idempotency-key"),
            named("prefer"),
            header::IF_NONE_MATCH,
            named("x-request-id"),
        ])
        .expose_headers(EXPOSED.split(',').map(named).collect::<Vec<_>>())
        .max_age(MAX_AGE)
}
