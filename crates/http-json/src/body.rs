//! A request's body: media type, size limit, timeout.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header},
};
use std::time::Duration;
use tua_contract::ErrorCode;

/// How many bytes a body may have. A server sets it with `axum::extract::DefaultBodyLimit`.
pub const BODY_MAX_BYTES: usize = 32 << 10;

/// Why a body was refused before it was parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BodyError {
    /// The `Content-Type` is not `application/json`.
    #[error("Send the body as `Content-Type: application/json`.")]
    UnsupportedMediaType,
    /// The body has more than [`BODY_MAX_BYTES`], or than its route accepts.
    #[error("The body is larger than this route accepts.")]
    TooLarge,
    /// The connection ended before the body did.
    #[error("The body ended too early.")]
    Incomplete,
    /// The body was not complete in time.
    #[error("The body took too long to arrive. The request had no effect.")]
    TimedOut,
}

impl BodyError {
    /// The code of the problem document.
    #[must_use]
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::UnsupportedMediaType => ErrorCode::UnsupportedMediaType,
            Self::TooLarge => ErrorCode::BodyTooLarge,
            Self::Incomplete => ErrorCode::MalformedJson,
            Self::TimedOut => ErrorCode::RequestTimeout,
        }
    }

    /// The HTTP status code.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Incomplete => StatusCode::BAD_REQUEST,
            Self::TimedOut => StatusCode::REQUEST_TIMEOUT,
        }
    }
}

/// Reads a body that is sent as `application/json`. A browser sends this type to another origin only after a
/// preflight request, which it does not need for a form's types.
///
/// # Errors
/// Every variant of [`BodyError`].
pub async fn read_json(request: Request, timeout: Duration) -> Result<Bytes, BodyError> {
    if !is_json(request.headers()) {
        return Err(BodyError::UnsupportedMediaType);
    }
    read(request, timeout).await
}

/// Reads a body of any media type.
///
/// # Errors
/// [`BodyError::TooLarge`], [`BodyError::Incomplete`] and [`BodyError::TimedOut`].
pub async fn read(request: Request, timeout: Duration) -> Result<Bytes, BodyError> {
    match tokio::time::timeout(timeout, Bytes::from_request(request, &())).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(BodyError::TooLarge),
        Ok(Err(_)) => Err(BodyError::Incomplete),
        Err(_) => Err(BodyError::TimedOut),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = sent.and_then(|text| text.parse::<mime::Mime>().ok());
    media_type.is_some_and(|media_type| media_type.essence_str() == mime::APPLICATION_JSON.essence_str())
}
