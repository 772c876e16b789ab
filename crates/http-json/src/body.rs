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

/// The content coding that means none (RFC 9110, section 8.4.1).
pub const IDENTITY: &str = "identity";

/// Why a body was refused before it was parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BodyError {
    /// The `Content-Type` is not `application/json`.
    #[error("Send the body as `Content-Type: application/json`.")]
    UnsupportedMediaType,
    /// The `Content-Encoding` is not `identity`: this server decompresses nothing.
    #[error(
        "Send the body as it is: without compression, and without the header Content-Encoding."
    )]
    UnsupportedContentEncoding,
    /// The body has more than [`BODY_MAX_BYTES`], or than its route accepts.
    #[error("The body is larger than 32 KiB, or than 1 MiB for a batch of payouts.")]
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
            Self::UnsupportedMediaType | Self::UnsupportedContentEncoding => {
                ErrorCode::UnsupportedMediaType
            }
            Self::TooLarge => ErrorCode::BodyTooLarge,
            Self::Incomplete => ErrorCode::MalformedJson,
            Self::TimedOut => ErrorCode::RequestTimeout,
        }
    }

    /// The codings that a body may have, as the response's `Accept-Encoding` names them (RFC 9110,
    /// section 12.5.3).
    #[must_use]
    pub const fn accepted_codings(self) -> Option<&'static str> {
        match self {
            Self::UnsupportedContentEncoding => Some(IDENTITY),
            Self::UnsupportedMediaType | Self::TooLarge | Self::Incomplete | Self::TimedOut => None,
        }
    }

    /// The HTTP status code.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            Self::UnsupportedMediaType | Self::UnsupportedContentEncoding => {
                StatusCode::UNSUPPORTED_MEDIA_TYPE
            }
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Incomplete => StatusCode::BAD_REQUEST,
            Self::TimedOut => StatusCode::REQUEST_TIMEOUT,
        }
    }
}

/// Reads a body that is sent as `application/json`. A browser sends this type to another origin
/// only after a preflight request, which it does not need for a form's types.
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
/// Every variant of [`BodyError`], except [`BodyError::UnsupportedMediaType`].
pub async fn read(request: Request, timeout: Duration) -> Result<Bytes, BodyError> {
    check_content_encoding(request.headers())?;
    match tokio::time::timeout(timeout, Bytes::from_request(request, &())).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(BodyError::TooLarge)
        }
        Ok(Err(_)) => Err(BodyError::Incomplete),
        Err(_) => Err(BodyError::TimedOut),
    }
}

/// Refuses a body with a Content-Encoding, whether it is encoded or not: a proxy may have decoded
/// the body and left the header.
///
/// # Errors
/// [`BodyError::UnsupportedContentEncoding`].
pub fn check_content_encoding(headers: &HeaderMap) -> Result<(), BodyError> {
    let values = headers.get_all(header::CONTENT_ENCODING).iter();
    let mut codings = values
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .map(<[u8]>::trim_ascii);
    let is_read =
        codings.all(|coding| coding.is_empty() || coding.eq_ignore_ascii_case(IDENTITY.as_bytes()));
    if is_read { Ok(()) } else { Err(BodyError::UnsupportedContentEncoding) }
}

fn is_json(headers: &HeaderMap) -> bool {
    has_media_type(headers, "application/json")
}

/// Whether the `Content-Type` is this media type, with any parameters and with white space around
/// the semicolon (RFC 9110, section 5.6.6). Not the crate `mime`: it refuses the space before a
/// semicolon.
#[must_use]
pub fn has_media_type(headers: &HeaderMap, expected: &str) -> bool {
    let sent = headers.get(header::CONTENT_TYPE).map_or(&[][..], |value| value.as_bytes());
    let media_type = sent.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    media_type.eq_ignore_ascii_case(expected.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn headers(name: HeaderName, values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn json_may_have_parameters_and_white_space() {
        for (content_type, expected) in [
            ("application/json", true),
            ("application/json ;charset=utf-8", true),
            ("Application/JSON\t; charset=\"utf-8\" ; x=y", true),
            ("application/json;", true),
            ("application/jsonp", false),
            ("application/json, text/plain", false),
            ("text/plain; application/json", false),
            ("", false),
        ] {
            assert_eq!(
                is_json(&headers(header::CONTENT_TYPE, &[content_type])),
                expected,
                "{content_type}"
            );
        }
        assert!(!is_json(&HeaderMap::new()));
    }

    #[test]
    fn only_identity_is_read() {
        for (values, is_read) in [
            (&[][..], true),
            (&["identity"], true),
            (&["Identity , identity"], true),
            (&[""], true),
            (&["gzip"], false),
            (&["identity, br"], false),
            (&["identity", "deflate"], false),
            (&["none"], false),
        ] {
            let checked = check_content_encoding(&headers(header::CONTENT_ENCODING, values));
            assert_eq!(checked.is_ok(), is_read, "{values:?}");
        }
    }
}
