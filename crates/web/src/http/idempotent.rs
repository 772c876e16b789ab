//! `Idempotency-Key` and `Idempotency-Replayed` (docs/reference/idempotency.md).

use super::{problem::ApiError, refusals::internal};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use tua_contract::ErrorCode;
use tua_domain::idempotency::IdempotencyKey;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The key of a request, where it carries one.
///
/// # Errors
/// 400 where the key is not 1 to 255 printable ASCII characters, or is sent more than once.
pub(super) fn key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    let (Some(key), second) = (keys.next(), keys.next()) else { return Ok(None) };
    match (IdempotencyKey::parse(key.as_bytes()), second) {
        (Some(key), None) => Ok(Some(key)),
        _ => Err(ApiError::new(
            ErrorCode::IdempotencyKeyInvalid,
            "The Idempotency-Key header must be 1 to 255 printable ASCII characters, and appear \
             once.",
        )),
    }
}

/// The key of a request that must carry one.
///
/// # Errors
/// 400 where there is none, and as [`key`].
pub(super) fn required_key(headers: &HeaderMap) -> Result<IdempotencyKey, ApiError> {
    key(headers)?.ok_or_else(|| {
        ApiError::new(
            ErrorCode::IdempotencyKeyMissing,
            "This route requires the Idempotency-Key header.",
        )
    })
}

/// A response that may be a replay.
pub(super) fn response(
    status: StatusCode,
    view: &impl Serialize,
    is_replay: bool,
) -> Result<Response, ApiError> {
    let body = serde_json::to_string(view).map_err(|_| internal())?;
    let mut response = (status, Body::from(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if is_replay {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_may_be_sent_once() {
        let is_fine = |keys: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in keys {
                headers.append(IDEMPOTENCY_KEY, HeaderValue::from_static(value));
            }
            key(&headers).is_ok()
        };
        assert!(is_fine(&[]) && is_fine(&["a"]));
        assert!(!is_fine(&[""]) && !is_fine(&["a", "a"]));
    }
}
