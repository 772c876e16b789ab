//! Secret keys that others may have read: sent from a browser, or over plain HTTP.

use super::{form_sender::FETCH_SITE, problem::ApiError};
use axum::http::{HeaderMap, HeaderName, header};
use tua_contract::ErrorCode;
use tua_domain::{Mode, SecretKey};
use tua_net::{Client, Proxy};

/// The headers that a proxy adds.
const FORWARDED: [HeaderName; 3] = [
    header::FORWARDED,
    HeaderName::from_static("x-forwarded-proto"),
    HeaderName::from_static("x-forwarded-for"),
];

/// Whether a request has a header that only browsers send.
pub(super) fn is_from_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ORIGIN) || headers.contains_key(FETCH_SITE)
}

/// A live secret key beside a header that only browsers send has leaked into a page.
pub(super) fn refuse_exposed(key: &SecretKey, headers: &HeaderMap) -> Result<(), ApiError> {
    if key.scope.mode == Mode::Test || !is_from_browser(headers) {
        return Ok(());
    }
    tracing::warn!(key = %key.id, account = %key.scope.account, "a live secret key was sent from a \
        browser: revoke it");
    Err(ApiError::new(
        ErrorCode::SecretKeyExposed,
        "This live secret key was sent from a browser, so it has leaked. Revoke it, and use a \
         checkout token in pages.",
    ))
}

/// A live secret key that anybody on the way could have read.
pub(super) fn refuse_readable(
    key: &SecretKey,
    client: Client,
    headers: &HeaderMap,
) -> Result<(), ApiError> {
    if key.scope.mode == Mode::Test || client.https || client.local {
        return Ok(());
    }
    if client.proxy == Proxy::Trusted {
        tracing::warn!(
            key = %key.id, account = %key.scope.account, address = %client.address,
            "a live secret key came through a trusted proxy that does not send `X-Forwarded-Proto: \
             https` for every hop"
        );
        return Err(ApiError::new(
            ErrorCode::HttpsRequired,
            "The proxy before the service does not say that this live secret key was sent over \
             HTTPS: its header X-Forwarded-Proto is absent, or names another scheme than https. \
             Let the proxy set it. If the key was sent over plain HTTP, revoke it.",
        ));
    }
    if FORWARDED.iter().any(|name| headers.contains_key(name)) {
        tracing::warn!(
            key = %key.id, account = %key.scope.account, address = %client.address,
            "a live secret key came through a proxy that is not named in --trusted-proxies"
        );
        return Err(ApiError::new(
            ErrorCode::HttpsRequired,
            "This live secret key came through a proxy that the service does not know, so the \
             service cannot tell whether it was sent over HTTPS. Name the proxy in \
             --trusted-proxies. If the key was sent over plain HTTP, revoke it.",
        ));
    }
    tracing::warn!(key = %key.id, account = %key.scope.account, "a live secret key was sent over \
        plain HTTP: revoke it");
    Err(ApiError::new(
        ErrorCode::HttpsRequired,
        "This live secret key was sent over plain HTTP, where others can read it. Revoke it, and \
         send keys over HTTPS only.",
    ))
}
