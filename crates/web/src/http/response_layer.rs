//! The layer around every response: it adds the request id, a log line, metrics, and the problem
//! document of an error.

use super::{
    cors,
    credential_facts::{CredentialFacts, LOGS_PATH},
    logged_resource::LoggedResource,
    problem::{ApiError, RefusedRequest},
    refusals::internal,
    trace_context,
};
use axum::{
    body::Body,
    extract::{MatchedPath, Request},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    response::{IntoResponse, Response},
    routing::Route,
};
use futures_util::future::Either;
use std::{any::Any, future::ready, sync::Arc, time::Instant};
use tower::{Layer, Service, layer::layer_fn, service_fn};
use tracing::{Instrument, error, error_span, info};
use tua_contract::ErrorCode;
use tua_domain::{KeyId, public_url::PublicUrl, test_log::LoggedRequest};
use tua_metrics::Metrics;
use tua_net::HttpService;
use uuid::Uuid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The maximum length of a client's request id, in bytes.
pub(super) const MAX_ID_BYTES: usize = 128;

/// The state of the layer: where it counts, and the URL of its problem types.
#[derive(Clone, Debug)]
pub(super) struct LayerState {
    /// Counts responses by method, route and status, with their durations.
    pub(super) metrics: Arc<Metrics>,
    /// The base URL of the problem types.
    pub(super) public_url: PublicUrl,
}

/// What the response needs from its request.
#[derive(Debug)]
pub(super) struct RequestContext {
    id: String,
    method: Method,
    route: String,
    started: Instant,
}

/// Wraps every request and its response.
///
/// Not [`axum::middleware::from_fn`], whose future stores the request three times while it waits
/// for the response.
pub(super) fn layer(state: LayerState) -> impl Layer<Route, Service: HttpService + Sync> + Clone {
    layer_fn(move |mut inner: Route| {
        let state = state.clone();
        service_fn(move |mut request: Request| {
            // The route as declared, never the path as sent: a path or query may hold a token.
            let route = request
                .extensions()
                .get::<MatchedPath>()
                .map_or("(no route)", MatchedPath::as_str)
                .to_owned();
            let context = RequestContext::of(&request, &route);
            let RequestContext { id, method, .. } = &context;
            // At the highest level, so that every line has the request's id at every log level.
            let span = error_span!("request", id, %method, route);
            let http_span = trace_context::start_server_span(
                request.headers(),
                method,
                &context.route,
                id,
                &span,
            );
            let credential = CredentialFacts::default();
            request.extensions_mut().insert(credential.clone());
            let response = match refuse_ambiguous(&request) {
                None => Either::Left(inner.call(request)),
                Some(refusal) => Either::Right(ready(Ok(refusal))),
            };
            let response_future = response.instrument(http_span.clone()).instrument(span.clone());
            let state = state.clone();
            async move {
                let mut response = response_future.await?;
                credential.insert(response.headers_mut());
                trace_context::record_status(&http_span, response.status());
                let status = response.status().as_u16();
                let elapsed = context.started.elapsed();
                if context.route != LOGS_PATH {
                    credential.record(|key| context.logged(&response, key));
                }
                let code = refused_code(&response).map(ErrorCode::as_str);
                let key = credential.key().map(KeyId::as_str);
                span.in_scope(|| {
                    info!(status, code, key, duration_ms = elapsed.as_millis(), "answered");
                });
                context.finish(&state, &mut response);
                Ok(response)
            }
        })
    })
}

impl RequestContext {
    /// Reads a request to this route.
    pub(super) fn of(request: &Request, route: &str) -> Self {
        Self {
            id: request_id(request.headers()),
            method: request.method().clone(),
            route: route.to_owned(),
            started: Instant::now(),
        }
    }

    /// The response as the log of test mode has it.
    fn logged(&self, response: &Response, key: Option<KeyId>) -> LoggedRequest {
        let resource = response.extensions().get::<LoggedResource>();
        LoggedRequest {
            id: self.id.clone(),
            method: self.method.to_string(),
            route: self.route.clone(),
            status: response.status().as_u16(),
            code: refused_code(response),
            key,
            duration: self.started.elapsed(),
            resource: resource.map(|LoggedResource(id)| id.clone()),
        }
    }

    /// Counts the response, and writes its common headers and an error's problem document.
    pub(super) fn finish(&self, state: &LayerState, response: &mut Response) {
        let status = response.status().as_u16();
        let elapsed = self.started.elapsed();
        state.metrics.request_answered(self.method.as_str(), &self.route, status, elapsed);

        if let Some(RefusedRequest(error)) = response.extensions_mut().remove() {
            *response.body_mut() = Body::from(error.document(&state.public_url, &self.id));
            let headers = response.headers_mut();
            headers
                .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            headers.remove(header::CONTENT_LENGTH);
        }
        let headers = response.headers_mut();
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Ok(id) = HeaderValue::from_str(&self.id) {
            headers.insert(REQUEST_ID, id);
        }
    }
}

/// The refusal of a request that a proxy may have understood as another one: which of two hosts is
/// meant is not specified (RFC 9112, section 3.2). Where the length of a body is ambiguous, hyper
/// itself refuses the request, or closes the connection after it.
fn refuse_ambiguous(request: &Request) -> Option<Response> {
    request.headers().get_all(header::HOST).iter().nth(1)?;
    let detail = "The request has more than one Host header. It had no effect. Send one.";
    let mut refusal = ApiError::new(ErrorCode::InvalidRequest, detail).into_response();
    if request.uri().path().starts_with("/v1/") {
        cors::insert_headers(refusal.headers_mut());
    }
    Some(refusal)
}

/// The error code of a refused request.
fn refused_code(response: &Response) -> Option<ErrorCode> {
    response.extensions().get().map(|RefusedRequest(error)| error.code)
}

/// The response to a request that panicked.
pub(super) fn panicked(_: Box<dyn Any + Send>) -> Response {
    error!("a request panicked");
    internal().into_response()
}

/// The client's request id if it is valid, otherwise a new one.
fn request_id(headers: &HeaderMap) -> String {
    let sent = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let valid = sent.filter(|id| is_request_id(id));
    valid.map_or_else(|| format!("req_{}", Uuid::new_v4().simple()), str::to_owned)
}

/// Whether a client's request id is valid.
pub(super) fn is_request_id(id: &str) -> bool {
    (1..=MAX_ID_BYTES).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}
