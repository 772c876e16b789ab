//! The listener for plain HTTP, where the service has HTTPS: it redirects, and it answers the ACME server's HTTP-01
//! validations. It serves nothing else.

use crate::{domain::public_url::PublicUrl, net::tls::Challenges};
use axum::{
    Router,
    extract::{Path, Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use std::sync::Arc;

/// What the listener needs.
#[derive(Clone, Debug)]
pub(crate) struct RedirectState {
    /// The origin to redirect to.
    pub(crate) public_url: PublicUrl,
    /// Present where the service orders its certificate itself.
    pub(crate) challenges: Option<Arc<dyn Challenges>>,
}

/// Redirects every page, and refuses every request that may contain a credential: by then it has crossed the network
/// unencrypted, and a redirect would hide that.
pub(crate) fn router(state: RedirectState) -> Router {
    Router::new()
        .route("/.well-known/acme-challenge/{token}", get(key_authorization))
        .fallback(redirect)
        .with_state(state)
}

/// The response to an HTTP-01 validation (RFC 8555 section 8.3).
async fn key_authorization(State(state): State<RedirectState>, Path(token): Path<String>) -> Response {
    let found = match &state.challenges {
        Some(challenges) => challenges.key_authorization(&token).await,
        None => None,
    };
    found.map_or(StatusCode::NOT_FOUND.into_response(), |text| {
        ([(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"))], text).into_response()
    })
}

async fn redirect(State(state): State<RedirectState>, request: Request) -> Response {
    let origin = &state.public_url;
    let is_page = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_page || request.headers().contains_key(header::AUTHORIZATION) {
        let text = format!(
            "Send this request to {origin}, over HTTPS. It came unencrypted: if it contained a secret key, revoke the key.\n"
        );
        let close: (HeaderName, HeaderValue) = (header::CONNECTION, HeaderValue::from_static("close"));
        return (StatusCode::FORBIDDEN, [close], text).into_response();
    }
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    match HeaderValue::try_from(format!("{origin}{path}")) {
        Ok(location) => (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}
