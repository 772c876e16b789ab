//! `GET /openapi.json`: the document as it is served.

use super::document;
use crate::http::{compressed::CompressedOnce, problem::ApiError};
use axum::{Extension, body::Bytes, extract::State, http::HeaderMap, response::Response};
use std::sync::Arc;
use tua_net::{Client, limits::Limiter};

/// The document of a service with this public URL, written when the service starts.
#[expect(clippy::expect_used, reason = "strings, numbers and lists always have a JSON form")]
pub(in crate::http) fn served_document(public_url: &str) -> CompressedOnce {
    CompressedOnce::new(Bytes::from(document(public_url).to_json().expect("plain data")))
}

/// Responds with the document in the form that the client prefers. Requests count against the limit
/// of their address, as all do that have no valid credential.
pub(in crate::http) async fn read_document(
    State(limiter): State<Arc<Limiter>>,
    Extension(served): Extension<Arc<CompressedOnce>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    limiter.count_bad_credential(client.limited_address())?;
    Ok(served.response(&headers, "application/json").await)
}
