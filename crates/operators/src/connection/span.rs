//! The span of a request to an operator in a trace, by OpenTelemetry's conventions for HTTP
//! clients.

use super::{Call, Reply};
use tracing::{Span, field::Empty, info_span};
use url::Url;

/// The span of a call. It has no path and no query, because they may hold a phone number or a
/// credential, so the attribute `url.full` of the conventions is missing.
pub(super) fn client_span(call: &Call<'_>, base_url: &Url) -> Span {
    let url = call.url.as_ref().unwrap_or(base_url);
    let method = &call.method;
    info_span!(
        "http_call",
        otel.name = %method,
        otel.kind = "client",
        otel.status_code = Empty,
        error.type = Empty,
        http.request.method = %method,
        http.response.status_code = Empty,
        server.address = url.host_str(),
        server.port = url.port_or_known_default().map(i64::from),
    )
}

/// Adds what came of the call. A missing response and the statuses from 400 are errors of a
/// client's span.
pub(super) fn record_reply(span: &Span, reply: &Reply) {
    let error = match reply {
        Reply::NotSent => "not_sent",
        Reply::NoResponse => "no_response",
        Reply::Response(response) => {
            let status = &response.status;
            span.record("http.response.status_code", i64::from(status.as_u16()));
            if !status.is_client_error() && !status.is_server_error() {
                return;
            }
            status.as_str()
        }
    };
    span.record("otel.status_code", "ERROR");
    span.record("error.type", error);
}
