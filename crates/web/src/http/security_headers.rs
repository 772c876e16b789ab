//! The security headers of our own pages: what they may load, and who may frame them.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use tua_domain::public_url::PublicUrl;

/// The header that turns features of the browser off.
pub const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// Turns off what none of our pages uses. Passkeys and copying to the clipboard stay on, since
/// browsers allow them to the page itself unless this header names them.
pub const NO_DEVICES: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), \
    gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";

/// `'wasm-unsafe-eval'` lets WebAssembly compile and nothing else; it is the only concession.
const HOSTED_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// For pages without script: nothing from other origins, and no frame.
pub const POLICY_WITHOUT_SCRIPT: &str = "default-src 'none'; style-src 'self'; img-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Adds the headers of a hosted page: nothing from other origins, in no frame, in no cache, and its
/// address in no `Referer`.
pub fn add_hosted(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(HOSTED_POLICY));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    add_common(headers);
}

/// Adds the headers of the simulated phone, which the demo shop frames: the shop is on loopback as
/// the service is.
pub fn add_simulated_phone(headers: &mut HeaderMap, public_url: &PublicUrl) {
    let host = public_url.without_port();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src \
         'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self' {host}:*"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    add_common(headers);
}

fn add_common(headers: &mut HeaderMap) {
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(NO_DEVICES));
}
