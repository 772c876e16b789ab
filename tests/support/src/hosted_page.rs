//! The hosted page as a browser without script uses it.

use crate::{ApiClient, Response};
use reqwest::Method;

/// The content type of a form.
pub const FORM_CONTENT_TYPE: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors \
    'none'";

/// The value of `Permissions-Policy` in every page of the service.
pub const NO_DEVICES: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), \
    gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";

/// Asserts a page that loads nothing from other origins, cannot be framed, and does not leak its
/// URL.
#[track_caller]
pub fn assert_page(answer: Response, status: u16) -> Response {
    let page = answer.is(status);
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("permissions-policy", NO_DEVICES),
        ("content-type", "text/html; charset=utf-8"),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
    assert_eq!(
        page.headers.get("access-control-allow-origin"),
        None,
        "other origins cannot read pages"
    );
    assert_eq!(page.headers.get("set-cookie"), None);
    for dirty in ["<style", " style=", "javascript:", "<script>", "//cdn"] {
        assert!(!page.text.contains(dirty), "{dirty} in {}", page.text);
    }
    page
}

/// Sends a form, valid or not.
pub async fn send_form(
    actor: &ApiClient,
    path: &str,
    fields: &str,
    headers: &[(&str, &str)],
) -> Response {
    let mut request = actor.request(Method::POST, path).body(fields.to_owned());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Response::read(request.send().await.unwrap()).await
}
