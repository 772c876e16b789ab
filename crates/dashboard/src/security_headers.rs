//! The security headers of the dashboard: what its pages may load, and who may frame or keep them.

use super::live::HX_REQUEST;
use axum::http::{HeaderMap, HeaderValue, header};
use tua_web::http::{NO_DEVICES, PERMISSIONS_POLICY, POLICY_WITHOUT_SCRIPT};

/// [`POLICY_WITHOUT_SCRIPT`] with script files of this origin, and their requests to it: for the
/// page that asks a device for a passkey, and for those that refresh themselves. The till also has
/// a manifest.
const POLICY_WITH_SCRIPT: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; \
    style-src 'self'; img-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// Replaces the policy by one with which a page may run script files of this origin.
pub(super) fn allow_script(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY_WITH_SCRIPT));
}

/// Adds the headers of every response: no script, nothing from other origins, in no frame, and in
/// no cache. With the referrer policy `no-referrer`, browsers would send `Origin: null` with each
/// form, and an old browser's forms would be refused as another site's.
pub(super) fn add(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY_WITHOUT_SCRIPT),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
        (PERMISSIONS_POLICY, NO_DEVICES),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.append(header::VARY, HX_REQUEST.into());
}
