//! Cross-origin rules: the API is open to every page, without cookies (contract section 4).

use axum::http::{HeaderName, Method, header};
use std::time::Duration;
use tower_http::cors::{Any, CorsLayer};

const MAX_AGE: Duration = Duration::from_secs(7200);

/// `Access-Control-Allow-Origin: *` on every answer, errors included.
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
        .expose_headers([
            header::DATE,
            header::ETAG,
            header::RETRY_AFTER,
            named("preference-applied"),
            named("idempotency-replayed"),
            named("x-request-id"),
            named("ratelimit"),
            named("ratelimit-policy"),
        ])
        .max_age(MAX_AGE)
}
