//! The parameter of a path, which is one segment of it (RFC 3986 section 3.3).

use super::problem::ApiError;
use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use tua_contract::ErrorCode;

/// The one parameter of a path. Where it is not UTF-8, the path does not exist.
#[derive(Debug)]
pub struct Segment(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(text)) => Ok(Self(text)),
            Err(_) => Err(ApiError::new(ErrorCode::NotFound, "This path does not exist.")),
        }
    }
}
