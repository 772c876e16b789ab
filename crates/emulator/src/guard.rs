//! Applies faults to requests and responses, and counts the requests.

use crate::{
    chaos::{Fault, WireFormat, distort},
    operator::{Call, Operator},
    protocol::{Protocol, Shared},
    server::CloseConnection,
};
use axum::{
    Json, Router,
    body::{Body, Bytes, to_bytes},
    extract::{MatchedPath, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::{Html, IntoResponse, Response},
};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::time::Duration;

/// How long a connection stays open after half of a body.
const FLUSH_DELAY: Duration = Duration::from_millis(20);

/// Counts the requests to a route, and applies the faults of its rules.
#[derive(Clone)]
struct RouteGuard {
    shared: Shared,
    operator: Operator,
    format: &'static WireFormat,
    call: Call,
}

/// Counts the requests to these routes, and lets faults occur on them.
pub(crate) fn guard<S: Clone + Send + Sync + 'static>(
    shared: &Shared,
    protocol: &dyn Protocol,
    call: Call,
    routes: Router<S>,
) -> Router<S> {
    let guard = RouteGuard {
        shared: shared.clone(),
        operator: protocol.operator(),
        format: protocol.format(),
        call,
    };
    routes.route_layer(from_fn_with_state(guard, apply))
}

async fn apply(State(guard): State<RouteGuard>, request: Request, next: Next) -> Response {
    let RouteGuard { shared, operator, format, call } = guard;
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = format!("{} {}", request.method(), path.unwrap_or_default());
    shared.counters.count(operator, call, route);
    let faults = shared.chaos.take(operator, call, shared.clock.now(), |_| true);
    for fault in &faults {
        if let Fault::Latency(duration) = fault {
            tokio::time::sleep(*duration).await;
        }
    }
    if let Some(response) = faults.iter().find_map(|fault| without_effect(format, *fault)) {
        return response;
    }
    if let Some(code) = faults.iter().find_map(Fault::refusal) {
        let body = to_bytes(request.into_body(), usize::MAX).await.unwrap_or_default();
        return format.refuse(call, code, &body);
    }
    let mut response = next.run(request).await;
    for fault in faults {
        response = after_effect(format, fault, response).await;
    }
    response
}

/// The response to a request that has no effect; `None` where the fault lets it have one.
fn without_effect(format: &WireFormat, fault: Fault) -> Option<Response> {
    match fault {
        Fault::ErrorBefore => Some(format.error(StatusCode::INTERNAL_SERVER_ERROR)),
        Fault::Unavailable => Some(format.error(StatusCode::SERVICE_UNAVAILABLE)),
        Fault::CloseBefore => Some(close()),
        Fault::TooManyRequests => Some(too_many_requests()),
        Fault::OffList => Some(html(StatusCode::FORBIDDEN, "403 Forbidden")),
        Fault::NotFound => Some(format.order_not_found()),
        _ => None,
    }
}

async fn after_effect(format: &WireFormat, fault: Fault, response: Response) -> Response {
    match fault {
        Fault::ErrorAfter => format.error(StatusCode::INTERNAL_SERVER_ERROR),
        Fault::CloseAfter => close(),
        Fault::Html => html(StatusCode::OK, "Service notice"),
        Fault::CloseInBody => close_in_body(response).await,
        Fault::HalfJson
        | Fault::WrongAmount
        | Fault::WrongCurrency
        | Fault::WrongReference
        | Fault::UnknownStatus
        | Fault::Status(_) => rewrite(format, fault, response).await,
        _ => response,
    }
}

/// Replaces the body by a distorted one. A body that is not JSON is left as it is.
async fn rewrite(format: &WireFormat, fault: Fault, response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let distorted = match (fault, serde_json::from_slice::<Value>(&body)) {
        (_, Err(_)) => body,
        (Fault::HalfJson, Ok(_)) => body.slice(..body.len() / 2),
        (_, Ok(mut value)) => {
            distort(format, fault, &mut value);
            Bytes::from(value.to_string())
        }
    };
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, Body::from(distorted))
}

async fn close_in_body(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    // The announced length is never reached, also where the body is empty.
    let length = body.len().max(2);
    head.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    let parts = [Ok(body.slice(..body.len() / 2)), Err(std::io::Error::other("closed on purpose"))];
    let stream = futures_util::stream::iter(parts).then(async |part| {
        if part.is_err() {
            // The first half is sent before the connection is closed.
            tokio::time::sleep(FLUSH_DELAY).await;
        }
        part
    });
    Response::from_parts(head, Body::from_stream(stream))
}

fn close() -> Response {
    let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    response.extensions_mut().insert(CloseConnection);
    response
}

fn html(status: StatusCode, title: &str) -> Response {
    let page = format!(
        "<html><head><title>{title}</title></head>\
         <body><center><h1>{title}</h1></center></body></html>"
    );
    (status, Html(page)).into_response()
}

fn too_many_requests() -> Response {
    let body =
        json!({"statusCode": 429, "message": "Rate limit is exceeded. Try again in 1 seconds."});
    (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "1")], Json(body)).into_response()
}
