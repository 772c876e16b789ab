//! Who is calling: one extractor for every route (docs/reference/credentials.md).

use super::{problem::ApiError, rate_headers::CredentialRateLimit, refusals::internal};
use crate::{
    app::App,
    domain::{Caller, Checkout, Generation, Mode, SecretKey, Transaction, TransactionId, secret::SecretDigest},
    net::Client,
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderName, StatusCode, header, request::Parts},
};
use std::sync::Arc;
use tua_contract::ErrorCode;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// An authenticated caller. Which routes it may call, the routes say.
#[derive(Clone, Debug)]
pub(super) struct Authenticated(pub(super) Caller);

impl FromRequestParts<Arc<App>> for Authenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let client = *parts.extensions.get::<Client>().ok_or_else(internal)?;
        let caller = match holder(app, &parts.headers).await {
            // Only here does the address count: thousands of payers may share it (carrier NAT).
            Err(refusal) if refusal.status() == StatusCode::UNAUTHORIZED => {
                app.limiter.bad_credential(client.address)?;
                return Err(refusal);
            }
            found => found?,
        };
        let standing = app.limiter.request(&caller)?;
        if let Some((shown, standing)) = parts.extensions.get::<CredentialRateLimit>().zip(standing) {
            shown.set(standing);
        }
        if let Caller::Key(key) = &caller {
            note_use(app, key).await;
            refuse_exposed(key, &parts.headers)?;
            refuse_readable(key, client)?;
        }
        Ok(Self(caller))
    }
}

/// Who holds the credential that a request carries; a 401 where nobody does, or no longer.
async fn holder(app: &App, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let credential = credential(headers)?;
    let caller = app.store.caller(SecretDigest::of(credential), app.clock.now()).await?.ok_or_else(invalid)?;
    if let Caller::Token(checkout) = &caller {
        refuse_expired(app, checkout).await?;
    }
    Ok(caller)
}

impl Authenticated {
    /// Any secret key: a payout.
    pub(super) fn any_key(self) -> Result<SecretKey, ApiError> {
        match self.0 {
            Caller::Key(key) => Ok(key),
            Caller::Token(_) => Err(not_allowed("A checkout token may not use this route. Use a secret key.")),
        }
    }

    /// A key of the second generation.
    pub(super) fn v2_key(self) -> Result<SecretKey, ApiError> {
        let key = self.any_key()?;
        match key.generation {
            Generation::V2 => Ok(key),
            Generation::V1 => Err(not_allowed(V2_NEEDED)),
        }
    }

    /// A checkout token.
    pub(super) fn token(self) -> Result<Checkout, ApiError> {
        match self.0 {
            Caller::Token(checkout) => Ok(*checkout),
            Caller::Key(_) => Err(not_allowed("This route takes a checkout token, not a secret key.")),
        }
    }

    /// A key of the second generation, or a checkout token.
    pub(super) fn v2_key_or_token(self) -> Result<Caller, ApiError> {
        match self.0 {
            Caller::Key(SecretKey { generation: Generation::V1, .. }) => Err(not_allowed(V2_NEEDED)),
            caller => Ok(caller),
        }
    }
}

const V2_NEEDED: &str = "This route takes a v2 secret key (tua_test_v2_… or tua_live_v2_…).";

/// A transaction that this caller may see. Anybody else's is not found.
pub(super) async fn visible_transaction(app: &App, caller: &Caller, id: &str) -> Result<Transaction, ApiError> {
    // Longer than any id of ours, so that nothing absurd is looked up.
    const LONGEST: usize = 64;
    let found = match id.len() {
        ..=LONGEST => app.store.transaction(&TransactionId::new(id)).await?,
        _ => None,
    };
    found.filter(|transaction| may_see(caller, transaction)).ok_or_else(|| {
        ApiError::new(ErrorCode::TransactionNotFound, "This credential has no transaction with this identifier.")
    })
}

fn may_see(caller: &Caller, transaction: &Transaction) -> bool {
    match caller {
        Caller::Key(key) => transaction.begun.scope == key.scope,
        Caller::Token(checkout) => transaction.begun.checkout.as_ref() == Some(&checkout.id),
    }
}

/// The one credential that a request carries, in either header.
pub(super) fn credential(headers: &HeaderMap) -> Result<&str, ApiError> {
    let keys = headers.get_all(API_KEY).iter().map(|value| value.to_str().ok().map(str::trim));
    let bearers = headers.get_all(header::AUTHORIZATION).iter().map(|value| value.to_str().ok().and_then(bearer));
    let mut found: Option<&str> = None;
    for one in keys.chain(bearers) {
        let one = one.ok_or_else(invalid)?;
        if found.is_some_and(|other| other != one) {
            return Err(ApiError::new(
                ErrorCode::ConflictingCredentials,
                "The request has two different credentials. Send one, as x-api-key or as Authorization.",
            ));
        }
        found = Some(one);
    }
    found.filter(|credential| !credential.is_empty()).ok_or_else(|| {
        ApiError::new(
            ErrorCode::MissingCredentials,
            "Send a credential as `x-api-key: <key>` or as `Authorization: Bearer <key>`.",
        )
    })
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, credential) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    scheme.eq_ignore_ascii_case("bearer").then(|| credential.trim())
}

/// The same for an unknown, a revoked and an expired credential, so that nothing is learned from it.
fn invalid() -> ApiError {
    ApiError::new(ErrorCode::InvalidCredentials, "The credential is not valid.")
}

fn not_allowed(detail: &'static str) -> ApiError {
    ApiError::new(ErrorCode::CredentialNotAllowed, detail)
}

async fn refuse_expired(app: &App, checkout: &Checkout) -> Result<(), ApiError> {
    if !checkout.is_expired(app.clock.now()) {
        return Ok(());
    }
    let standing = app.store.checkout_summary(&checkout.id).await?.as_str();
    let detail = match standing {
        "PAID" => "The checkout token has expired. The checkout was paid.",
        "PENDING" => "The checkout token has expired. A payment is still being confirmed: do not pay again.",
        _ => "The checkout token has expired after 30 minutes. Nothing was paid. Create a new checkout.",
    };
    Err(ApiError::expired(standing, checkout.reference.clone(), detail))
}

/// A request is not refused because this cannot be written down.
async fn note_use(app: &App, key: &SecretKey) {
    let now = app.clock.now();
    if app.key_uses.is_news(&key.id, now)
        && let Err(error) = app.store.note_key_use(&key.id, now).await
    {
        tracing::warn!(key = %key.id, %error, "the use of a key could not be written down");
    }
}

/// A live secret key beside a header that only browsers send has leaked into a page.
fn refuse_exposed(key: &SecretKey, headers: &HeaderMap) -> Result<(), ApiError> {
    let from_browser = headers.contains_key(header::ORIGIN) || headers.contains_key(FETCH_SITE);
    if key.scope.mode == Mode::Test || !from_browser {
        return Ok(());
    }
    tracing::warn!(key = %key.id, account = %key.scope.account, "a live secret key was sent from a browser: revoke it");
    Err(ApiError::new(
        ErrorCode::SecretKeyExposed,
        "This live secret key was sent from a browser, so it has leaked. Revoke it, and use a checkout token in pages.",
    ))
}

/// A live secret key that anybody on the way could have read.
fn refuse_readable(key: &SecretKey, client: Client) -> Result<(), ApiError> {
    if key.scope.mode == Mode::Test || client.https || client.local {
        return Ok(());
    }
    tracing::warn!(key = %key.id, account = %key.scope.account, "a live secret key was sent over plain HTTP: revoke it");
    Err(ApiError::new(
        ErrorCode::HttpsRequired,
        "This live secret key was sent over plain HTTP, where others can read it. Revoke it, and send keys over HTTPS only.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    fn code(pairs: &[(HeaderName, &'static str)]) -> Result<String, &'static str> {
        credential(&headers(pairs)).map(str::to_owned).map_err(|error| error.code.as_str())
    }

    #[test]
    fn either_header_carries_a_credential() {
        assert_eq!(code(&[(API_KEY, "k")]), Ok("k".to_owned()));
        assert_eq!(code(&[(header::AUTHORIZATION, "Bearer k")]), Ok("k".to_owned()));
        assert_eq!(code(&[(header::AUTHORIZATION, "bearer  k ")]), Ok("k".to_owned()));
        assert_eq!(code(&[(API_KEY, "k"), (header::AUTHORIZATION, "Bearer k")]), Ok("k".to_owned()));
    }

    #[test]
    fn two_different_credentials_conflict_wherever_they_stand() {
        for pairs in [
            [(API_KEY, "k"), (header::AUTHORIZATION, "Bearer other")],
            [(API_KEY, "k"), (API_KEY, "other")],
            [(header::AUTHORIZATION, "Bearer k"), (header::AUTHORIZATION, "Bearer other")],
        ] {
            let mut map = HeaderMap::new();
            for (name, value) in pairs {
                map.append(name, HeaderValue::from_static(value));
            }
            assert_eq!(credential(&map).unwrap_err().code, ErrorCode::ConflictingCredentials);
        }
    }

    #[test]
    fn nothing_is_missing_and_another_scheme_is_invalid() {
        assert_eq!(code(&[]), Err("missing_credentials"));
        assert_eq!(code(&[(API_KEY, "")]), Err("missing_credentials"));
        assert_eq!(code(&[(header::AUTHORIZATION, "Bearer ")]), Err("missing_credentials"));
        assert_eq!(code(&[(header::AUTHORIZATION, "Basic azo=")]), Err("invalid_credentials"));
    }
}
