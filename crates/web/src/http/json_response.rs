//! Responses that differ for each caller, so that no cache may store them.

use axum::{
    Json,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;

/// A 200 with this body and `Cache-Control: no-store`.
pub(super) fn no_store(view: &impl Serialize) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(view)).into_response()
}
