//! Files that are built into the binary: the component, and the styles of our own pages.

use super::{poll::matches, problem::ApiError, segment::Segment};
use crate::{app::App, hosted::policy};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::sync::Arc;
use tua_contract::ErrorCode;

/// The npm package's modules; its built half is there once the component has been built.
#[derive(RustEmbed)]
#[folder = "../../pkg"]
#[include = "*.js"]
#[include = "*.wasm"]
#[include = "locales/*.js"]
#[allow_missing = true]
struct Sdk;

#[derive(RustEmbed)]
#[folder = "../../www/hosted"]
#[include = "*.css"]
#[include = "*.js"]
#[include = "*.svg"]
struct Hosted;

/// The component's own styles, for the markup that the server draws.
#[derive(RustEmbed)]
#[folder = "../../src/style"]
#[include = "*.css"]
struct Styles;

#[derive(RustEmbed)]
#[folder = "../../www/phone"]
struct Phone;

const WASM: &str = "tua_embed_bg.wasm";
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Whether the component was built before this binary was.
#[must_use]
pub fn is_component_built() -> bool {
    Sdk::get(WASM).is_some()
}

/// `GET /sdk/…`: the component, for any page (contract section 4).
pub(super) async fn sdk_file(file: Result<Segment, ApiError>, headers: HeaderMap) -> Response {
    let file = file.map(|Segment(file)| file).unwrap_or_default();
    let mut response = match Sdk::get(&file) {
        _ if !is_component_built() => ApiError::new(
            ErrorCode::NotFound,
            "The checkout component was not built before this service was; build it with `cargo xtask dist`.",
        )
        .into_response(),
        Some(found) => serve(&file, &found, &headers),
        None => missing(),
    };
    let answer = response.headers_mut();
    answer.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    answer.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    response
}

/// The styles and the script of the hosted page.
pub(super) async fn hosted_asset(Segment(file): Segment, headers: HeaderMap) -> Response {
    Hosted::get(&file).or_else(|| Styles::get(&file)).map_or_else(missing, |found| serve(&file, &found, &headers))
}

/// The simulated phone's page.
pub(super) async fn phone_page(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let mut response = Phone::get("phone.html").map_or_else(missing, |found| serve("phone.html", &found, &headers));
    policy::simulated_phone(response.headers_mut(), &app.public_url);
    response
}

/// What the simulated phone's page is made of.
pub(super) async fn phone_asset(Segment(file): Segment, headers: HeaderMap) -> Response {
    Phone::get(&file).filter(|_| !file.ends_with(".html")).map_or_else(missing, |found| serve(&file, &found, &headers))
}

fn missing() -> Response {
    ApiError::new(ErrorCode::NotFound, "There is no such file.").into_response()
}

/// Asked about each time, and sent again only where it changed.
fn serve(name: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag = format!("\"{}\"", uuid::Uuid::from_slice(&hash[..16]).unwrap_or_default().simple());
    let mut response = match matches(headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => Body::from(file.data.clone()).into_response(),
    };
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.insert(header::ETAG, tag);
    }
    response
}

/// The type of a built-in file, by its name.
#[must_use]
pub fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
