//! Requests of pages that refresh themselves. htmx sends them with the header `HX-Request`, at
//! intervals that the templates name, and takes the part with the id `live` out of the page.

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri},
    response::{IntoResponse, Response},
};

/// The header of every request of htmx.
pub(super) const HX_REQUEST: HeaderName = HeaderName::from_static("hx-request");
const HX_REFRESH: HeaderName = HeaderName::from_static("hx-refresh");

/// Whether the page has sent this request, and no person.
pub(super) fn is_refresh(headers: &HeaderMap) -> bool {
    headers.contains_key(HX_REQUEST)
}

/// The query of a page that the browser loads again by itself, where there is no script.
const RELOAD_QUERY: &str = "refresh=1";

/// The endings of what browsers load for a page: pictures, and the manifest of the till.
const PARTS_OF_PAGES: [&str; 3] = [".svg", ".png", ".webmanifest"];

/// Whether the browser has sent this request by itself: for a page that refreshes itself, with
/// script or without, or for a part of a page.
pub(super) fn is_automatic(headers: &HeaderMap, uri: &Uri) -> bool {
    let is_part = PARTS_OF_PAGES.iter().any(|ending| uri.path().ends_with(ending));
    is_refresh(headers) || is_part || uri.query() == Some(RELOAD_QUERY)
}

/// Makes the browser load the whole page again, which then leads to a sign-in. Otherwise htmx would
/// follow the redirect, and look for the part in the page of the sign-in.
pub(super) fn reload() -> Response {
    (StatusCode::NO_CONTENT, [(HX_REFRESH, HeaderValue::from_static("true"))]).into_response()
}
