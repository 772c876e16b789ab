//! `RateLimit` and `RateLimit-Policy` (the IETF draft draft-ietf-httpapi-ratelimit-headers-10).

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::sync::{Arc, OnceLock};
use tua_domain::rate_limit::RateLimitStatus;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The rate-limit status of the request's credential. It is in the extensions of every request;
/// `http::auth` sets it.
#[derive(Clone, Debug, Default)]
pub(super) struct CredentialRateLimit(Arc<OnceLock<RateLimitStatus>>);

impl CredentialRateLimit {
    pub(super) fn set(&self, status: RateLimitStatus) {
        // A request is authenticated only once, so that the status is never set before.
        let _ = self.0.set(status);
    }

    /// Inserts the headers into a response, unless a stricter limit has inserted its own.
    pub(super) fn show(&self, headers: &mut HeaderMap) {
        if let Some(status) = self.0.get()
            && !headers.contains_key(RATE_LIMIT)
        {
            write(*status, headers);
        }
    }
}

/// Inserts both headers: structured fields (RFC 9651), each a list with one member.
pub(super) fn write(status: RateLimitStatus, headers: &mut HeaderMap) {
    let RateLimitStatus { policy, rate, remaining, reset } = status;
    let name = policy.as_str();
    let headers_to_insert = [
        (RATE_LIMIT, format!("\"{name}\";r={remaining};t={reset}")),
        (RATE_LIMIT_POLICY, format!("\"{name}\";q={};w={}", rate.quota(), rate.window())),
    ];
    for (name, value) in headers_to_insert {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
}
