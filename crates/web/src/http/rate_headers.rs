//! `RateLimit` and `RateLimit-Policy` (the IETF draft draft-ietf-httpapi-ratelimit-headers-10).

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use tua_domain::rate_limit::RateLimitStatus;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Inserts the headers into a response, unless a stricter limit has inserted its own.
pub(super) fn write_if_absent(status: RateLimitStatus, headers: &mut HeaderMap) {
    if !headers.contains_key(RATE_LIMIT) {
        write(status, headers);
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
