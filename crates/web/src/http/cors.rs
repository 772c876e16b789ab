//! Cross-origin rules: the API is open to every page, without cookies
//! (docs/reference/endpoints.md).

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use std::time::Duration;
use tower_http::cors::{Any, CorsLayer};

const MAX_AGE: Duration = Duration::from_secs(7200);

/// The request headers that pages may send: those of the API, and those that monitoring libraries
/// add to every request of a page. The service ignores the latter. Without them here, the browser
/// would block the whole request. `*` stands for all others but `authorization`; browsers before
/// 2022 read it as a name.
const ALLOWED: &str = "authorization,x-api-key,content-type,idempotency-key,prefer,if-none-match,\
    x-request-id,traceparent,tracestate,baggage,sentry-trace,newrelic,elastic-apm-traceparent,\
    uber-trace-id,x-amzn-trace-id,x-cloud-trace-context,request-id,request-context,\
    x-correlation-id,x-requested-with,b3,x-b3-traceid,x-b3-spanid,x-b3-parentspanid,x-b3-sampled,\
    x-b3-flags,x-datadog-trace-id,x-datadog-parent-id,x-datadog-origin,x-datadog-sampling-priority,\
    x-datadog-sampled,x-datadog-tags,*";

/// The response headers that pages may read, besides those that CORS always allows.
const EXPOSED: &str = "date,etag,retry-after,preference-applied,idempotency-replayed,x-request-id,\
    ratelimit,ratelimit-policy,tua-test-clock";

/// Inserts the headers of [`layer`] into a response that does not pass through it.
pub(super) fn insert_headers(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
}

/// `Access-Control-Allow-Origin: *` on every response, errors included.
pub(super) fn layer() -> CorsLayer {
    let named =
        |list: &'static str| list.split(',').map(HeaderName::from_static).collect::<Vec<_>>();
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(named(ALLOWED))
        .expose_headers(named(EXPOSED))
        .max_age(MAX_AGE)
}
