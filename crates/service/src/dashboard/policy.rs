//! What pages of the dashboard may load, and who may frame or keep them.

use axum::http::{HeaderMap, HeaderValue, header};

const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// No script, nothing from other origins, in no frame, and in no cache. With the policy `no-referrer`, browsers would send
/// `Origin: null` with each form, and an old browser's forms would be refused as another site's.
pub(super) fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
