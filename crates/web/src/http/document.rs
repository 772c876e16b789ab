//! The OpenAPI document with all routes, as the service serves it and the documentation shows it.

use super::{
    compressed::CompressedOnce,
    openapi::{self, examples::EXAMPLE_URL},
    routes,
};
use axum::body::Bytes;
use utoipa::openapi::OpenApi;

/// The whole document as JSON, as a service at `EXAMPLE_URL` serves it.
pub fn openapi_document() -> serde_json::Value {
    serde_json::to_value(document(EXAMPLE_URL)).unwrap_or_default()
}

/// The document of a service with this public URL, written when the service starts.
#[expect(clippy::expect_used, reason = "strings, numbers and lists always have a JSON form")]
pub(super) fn served_document(public_url: &str) -> CompressedOnce {
    CompressedOnce::new(Bytes::from(document(public_url).to_json().expect("plain data")))
}

/// The document of a service with this public URL.
pub(super) fn document(public_url: &str) -> OpenApi {
    openapi::document(routes::ALL.iter().map(|route| &route.operation), public_url)
}
