//! What handlers take from requests. A request that has no such part is refused in the operator's
//! own JSON, as every other mistake.

use crate::{
    protocol::{Context, Protocol},
    wire::Refusal,
};
use axum::{
    Router,
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    routing::any,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The body of a request, in JSON or in another format that the operator takes.
#[derive(Debug)]
pub(crate) struct Body(pub(crate) Value);

impl<P: Protocol> FromRequest<Context<P>> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, context: &Context<P>) -> Result<Self, Refusal> {
        let media_type = media_type(request.headers());
        let body = Bytes::from_request(request, context)
            .await
            .map_err(|rejection| context.refuse(rejection.status(), "The body cannot be read."))?;
        let read = read(&*context.protocol, &media_type, &body);
        read.map(Self).map_err(|(status, message)| context.refuse(status, message))
    }
}

/// Why a body is refused.
type BodyFault = (StatusCode, &'static str);

/// Reads a body of this type.
fn read<P: Protocol>(protocol: &P, media_type: &str, body: &[u8]) -> Result<Value, BodyFault> {
    if let Some(read) = protocol.read_other_body(media_type, body) {
        return Ok(read);
    }
    require_json(media_type)?;
    serde_json::from_slice(body).map_err(|_| (StatusCode::BAD_REQUEST, "The body is not JSON."))
}

/// Refuses a body whose type is not JSON.
pub(crate) fn require_json(media_type: &str) -> Result<(), BodyFault> {
    let subtype = media_type.strip_prefix("application/").unwrap_or_default();
    if subtype == "json" || subtype.ends_with("+json") {
        Ok(())
    } else {
        Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "The Content-Type must be application/json."))
    }
}

/// The type of a body without its parameters, in lower case; empty if there is none.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let header = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = header.unwrap_or_default().split(';').next().unwrap_or_default();
    media_type.trim().to_ascii_lowercase()
}

/// The parameters after the path's `?`.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<P: Protocol, T: DeserializeOwned> FromRequestParts<Context<P>> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, context: &Context<P>) -> Result<Self, Refusal> {
        let read = axum::extract::Query::<T>::from_request_parts(parts, context).await;
        let refuse = |_| context.refuse(StatusCode::BAD_REQUEST, "A parameter is invalid.");
        read.map(|axum::extract::Query(query)| Self(query)).map_err(refuse)
    }
}

/// The variable segments of the path.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<P: Protocol, T: DeserializeOwned + Send> FromRequestParts<Context<P>> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, context: &Context<P>) -> Result<Self, Refusal> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, context).await;
        let refuse = |_| context.refuse(StatusCode::BAD_REQUEST, "The path is invalid.");
        read.map(|axum::extract::Path(path)| Self(path)).map_err(refuse)
    }
}

/// Puts these routes below a first segment.
pub(crate) fn nest<P: Protocol>(segment: &str, routes: Router<Context<P>>) -> Router<Context<P>> {
    Router::new()
        .nest(&format!("/{segment}"), routes)
        // axum does not count the path with nothing behind its slash as nested.
        .route(&format!("/{segment}/"), any(unknown_path::<P>))
}

/// Adds the operator's answers to requests that none of these routes takes.
pub(crate) fn with_fallbacks<P: Protocol>(routes: Router<Context<P>>) -> Router<Context<P>> {
    routes.fallback(unknown_path::<P>).method_not_allowed_fallback(unknown_method::<P>)
}

async fn unknown_path<P: Protocol>(State(context): State<Context<P>>) -> Refusal {
    context.refuse(StatusCode::NOT_FOUND, "There is no such endpoint.")
}

async fn unknown_method<P: Protocol>(State(context): State<Context<P>>) -> Refusal {
    context.refuse(StatusCode::METHOD_NOT_ALLOWED, "The endpoint does not have this method.")
}
