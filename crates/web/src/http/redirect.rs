//! The listener for plain HTTP, where the service has HTTPS: it redirects, and it answers the ACME
//! server's HTTP-01 validations. It serves nothing else.

use super::{
    cors,
    problem::ApiError,
    response_layer::{self, LayerState},
};
use axum::{
    Router,
    extract::{Path, Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use percent_encoding::percent_decode_str;
use std::sync::Arc;
use tua_contract::ErrorCode;
use tua_domain::{Generation, Mode, SecretKey, public_url::PublicUrl};
use tua_metrics::Metrics;
use tua_net::tls::Challenges;

/// The headers that carry credentials, whatever is in them.
const CREDENTIAL_HEADERS: [HeaderName; 2] =
    [header::AUTHORIZATION, HeaderName::from_static("x-api-key")];

/// The beginning of the API's paths, in segments.
const API_PATH: &[&str] = &["v1"];

/// The beginnings of paths whose requests have credentials.
const PRIVATE_PATHS: &[&[&str]] = &[API_PATH, &["callbacks"], &["dashboard", "enrol"]];

/// What the listener needs.
#[derive(Clone, Debug)]
pub struct RedirectState {
    /// The origin to redirect to.
    pub public_url: PublicUrl,
    /// Present where the service orders its certificate itself.
    pub challenges: Option<Arc<dyn Challenges>>,
    /// Counts responses by method and status.
    pub metrics: Arc<Metrics>,
}

/// Redirects every page, and refuses every request that may contain a credential: by then it has
/// crossed the network unencrypted, and a redirect would hide that.
pub fn router(state: RedirectState) -> Router {
    let RedirectState { metrics, public_url, .. } = state.clone();
    Router::new()
        .route("/.well-known/acme-challenge/{token}", get(key_authorization))
        .fallback(redirect)
        .with_state(state)
        .layer(response_layer::layer(LayerState { metrics, public_url }))
}

/// The response to an HTTP-01 validation (RFC 8555 section 8.3).
async fn key_authorization(
    State(state): State<RedirectState>,
    Path(token): Path<String>,
) -> Response {
    let found = match &state.challenges {
        Some(challenges) => challenges.key_authorization(&token).await,
        None => None,
    };
    found.map_or(StatusCode::NOT_FOUND.into_response(), |text| {
        ([(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"))], text)
            .into_response()
    })
}

async fn redirect(State(state): State<RedirectState>, request: Request) -> Response {
    let origin = &state.public_url;
    if may_have_credential(&request) {
        return refusal(origin, request.uri().path());
    }
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    match HeaderValue::try_from(format!("{origin}{path}")) {
        Ok(location) => {
            (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, location)]).into_response()
        }
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// The refusal of a request that came unencrypted: below `/v1` as the API refuses, elsewhere as
/// text for people.
fn refusal(origin: &PublicUrl, path: &str) -> Response {
    let detail = format!(
        "Send this request to {origin}, over HTTPS. It came unencrypted: if it contained a secret \
         key, revoke the key."
    );
    let mut response = if is_below(path, &[API_PATH]) {
        let mut refusal = ApiError::new(ErrorCode::HttpsRequired, detail).into_response();
        cors::insert_headers(refusal.headers_mut());
        refusal
    } else {
        (StatusCode::FORBIDDEN, detail + "\n").into_response()
    };
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Whether a request is anything else than a browser's first step to a page: a form, a call of the
/// API, a callback, a link to enrol with, or a key in any header or in the address.
fn may_have_credential(request: &Request) -> bool {
    let is_page = matches!(*request.method(), Method::GET | Method::HEAD);
    let headers = request.headers();
    let address = request.uri();
    let is_named = CREDENTIAL_HEADERS.iter().any(|name| headers.contains_key(name));
    let has_key = headers.values().any(|value| contains_key(value.as_bytes()))
        || contains_key(&percent_decode_str(&address.to_string()).collect::<Vec<u8>>());
    !is_page || is_named || has_key || is_below(address.path(), PRIVATE_PATHS)
}

/// Whether a path has one of these beginnings, also where it is written with more slashes, in
/// capitals, percent-encoded, or with segments that a client resolves before it follows the
/// redirect.
fn is_below(path: &str, beginnings: &[&[&str]]) -> bool {
    let decoded = percent_decode_str(path).decode_utf8_lossy().to_lowercase();
    let mut resolved: Vec<&str> = Vec::new();
    let has_beginning =
        |segments: &[&str]| beginnings.iter().any(|beginning| segments.starts_with(beginning));
    // Browsers take a backslash for a slash.
    for segment in decoded.split(['/', '\\']) {
        match segment {
            "" | "." => {}
            ".." => {
                resolved.pop();
            }
            _ => resolved.push(segment),
        }
        // Also where the path leads out again: what is on the way may be what the client meant.
        if has_beginning(&resolved) {
            return true;
        }
    }
    false
}

/// Whether a text contains the prefix of a secret key.
fn contains_key(text: &[u8]) -> bool {
    let of_mode =
        |mode| Generation::ALL.iter().map(move |generation| SecretKey::prefix(mode, *generation));
    Mode::ALL
        .iter()
        .copied()
        .flat_map(of_mode)
        .any(|prefix| text.windows(prefix.len()).any(|part| part == prefix.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_private_path_is_known() {
        for path in [
            "/v1",
            "/v1/",
            "//v1/charge",
            "/V1/charge",
            "/%76%31/charge",
            "/./v1/charge",
            "/callbacks/mtn/x",
            "/x/../v1/charge",
            "/../v1/charge",
            "/%2e%2e/v1/x",
            "/x/y/.%2E/../v1/x",
            "/x%2f..%2fv1/x",
            "/x/..\\v1/x",
            "/dashboard/x/../enrol/abc",
            "/v1/../pay",
        ] {
            assert!(is_below(path, PRIVATE_PATHS), "{path}");
        }
        for path in
            ["/", "/v10", "/pay", "/docs/v1", "/dashboard/sign-in", "/x/../pay", "/..", "/x/.../v1"]
        {
            assert!(!is_below(path, PRIVATE_PATHS), "{path}");
        }
    }
}
