//! The span of a request in a trace, by the semantic conventions of OpenTelemetry for HTTP servers.

use axum::http::{HeaderMap, Method, StatusCode};
use opentelemetry::global::get_text_map_propagator;
use opentelemetry_http::HeaderExtractor;
use tracing::{Span, field::Empty, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The routes whose callers are merchants' servers and components, which may take part in a trace.
const API_PREFIX: &str = "/v1/";

/// Starts the exported span of a request. It has the route as declared, but neither path nor query,
/// because they may hold a token. For requests of the API its parent in the trace is that of the
/// header `traceparent` (W3C Trace Context), if the header is valid.
///
/// `request_span` is its parent in this process, and is not exported: log lines in any span below
/// it show its fields.
pub(super) fn start_server_span(
    headers: &HeaderMap,
    method: &Method,
    route: &str,
    id: &str,
    request_span: &Span,
) -> Span {
    let span = info_span!(
        parent: request_span,
        "http_request",
        otel.name = format!("{} {route}", known_method(method).unwrap_or("HTTP")),
        otel.kind = "server",
        otel.status_code = Empty,
        error.type = Empty,
        http.request.method = known_method(method).unwrap_or("_OTHER"),
        http.response.status_code = Empty,
        http.route = route,
        tua.request.id = id,
    );
    if !span.is_disabled() && route.starts_with(API_PREFIX) {
        let parent =
            get_text_map_propagator(|propagator| propagator.extract(&HeaderExtractor(headers)));
        // Fails where traces are not exported.
        let _ = span.set_parent(parent);
    }
    span
}

/// The name of a method that HTTP defines; `None` for any other text that a client sent.
fn known_method(method: &Method) -> Option<&str> {
    let known = [
        Method::CONNECT,
        Method::DELETE,
        Method::GET,
        Method::HEAD,
        Method::OPTIONS,
        Method::PATCH,
        Method::POST,
        Method::PUT,
        Method::TRACE,
    ];
    known.contains(method).then(|| method.as_str())
}

/// Adds the status of the response to the span of its request. Only faults of the service are
/// errors of a server's span.
pub(super) fn record_status(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", status.as_str());
    }
}
