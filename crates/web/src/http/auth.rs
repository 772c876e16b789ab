//! Who is calling: one extractor for every route (docs/reference/credentials.md).

use super::{
    bearer::without_scheme,
    credential_facts::CredentialFacts,
    key_exposure::{is_from_browser, refuse_exposed, refuse_readable},
    problem::ApiError,
    refusals::{expired, internal},
    unknown_credential::{unknown_credential, unknown_scheme, unknown_text},
};
use axum::{
    extract::{FromRef, FromRequestParts},
    http::{HeaderMap, HeaderName, HeaderValue, header, request::Parts},
};
use std::sync::Arc;
use tua_contract::ErrorCode;
use tua_domain::{
    Caller, Checkout, Generation, KeyScope, Mode, SecretKey, sandbox_times::SandboxTimes,
    secret::SecretDigest, test_log::TestLog,
};
use tua_net::{Client, limits::Limiter};
use tua_use_cases::{Authentication, AuthenticationError};

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// An authenticated caller. Which routes it may call, the routes say.
#[derive(Clone, Debug)]
pub(super) struct Authenticated(pub(super) Caller);

impl<S: Send + Sync> FromRequestParts<S> for Authenticated
where
    Arc<Authentication>: FromRef<S>,
    Arc<Limiter>: FromRef<S>,
    SandboxTimes: FromRef<S>,
    Arc<TestLog>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let authentication = <Arc<Authentication>>::from_ref(state);
        let limiter = <Arc<Limiter>>::from_ref(state);
        let client = *parts.extensions.get::<Client>().ok_or_else(internal)?;
        let facts = parts.extensions.get::<CredentialFacts>().ok_or_else(internal)?;
        let times = SandboxTimes::from_ref(state);
        let caller = holder(&authentication, &limiter, client, &parts.headers, |expired| {
            facts.set_sandbox_time(times.of(&expired.scope, expired.sandbox_ahead));
        })
        .await?;
        facts.set_key(&caller);
        if let Caller::Key(key) = &caller
            && !key.is_allowed_from(client.address)
        {
            // A thief of the key must not be able to use up its rate limit.
            limiter.count_bad_credential(client.limited_address())?;
            if let Err(refusal) = refuse_exposed(key, &parts.headers) {
                authentication.report_exposed(key).await;
                return Err(refusal);
            }
            return Err(foreign_address(key, client));
        }
        facts.set_sandbox_time(times.of(caller.scope(), caller.sandbox_ahead()));
        facts.set_log(<Arc<TestLog>>::from_ref(state), &caller);
        if let Some(status) = limiter.count_request(&caller)? {
            facts.set_rate_limit(status);
        }
        if let Caller::Key(key) = &caller {
            authentication.record_use(key).await;
            if key.scope.mode == Mode::Test && is_from_browser(&parts.headers) {
                authentication.warn_of_browser(key);
            }
            if let Err(refusal) = refuse_exposed(key, &parts.headers)
                .and_then(|()| refuse_readable(key, client, &parts.headers))
            {
                authentication.report_exposed(key).await;
                return Err(refusal);
            }
        }
        Ok(Self(caller))
    }
}

/// The holder of the credential that a request carries; a 401 where it is unknown, or where it has
/// expired.
///
/// Only a credential that nobody holds counts against the address, which thousands of payers may
/// share (carrier NAT). An expired token counts against its session: otherwise a few wrong requests
/// would hide from everybody behind that address that a payment is still being confirmed.
async fn holder(
    authentication: &Authentication,
    limiter: &Limiter,
    client: Client,
    headers: &HeaderMap,
    on_expired: impl FnOnce(&Checkout),
) -> Result<Caller, ApiError> {
    let sent = match credential(headers) {
        Ok(sent) => sent,
        Err(refusal) => {
            limiter.count_bad_credential(client.limited_address())?;
            return Err(refusal);
        }
    };
    let credential = SecretDigest::of(sent);
    limiter.check_address(client.limited_address(), &credential)?;
    match authentication.authenticate(credential).await {
        Ok(caller) => {
            limiter.note_valid(credential);
            Ok(caller)
        }
        Err(AuthenticationError::Expired { ended, checkout }) => {
            on_expired(&checkout);
            limiter.note_valid(credential);
            limiter.count_expired_token(&checkout.id)?;
            Err(expired(ended))
        }
        Err(AuthenticationError::Unknown) => {
            limiter.count_bad_credential(client.limited_address())?;
            Err(unknown_credential(sent))
        }
        Err(AuthenticationError::Store(error)) => Err(error.into()),
    }
}

impl Authenticated {
    /// Any secret key with one of these scopes, or a checkout token: a charge.
    pub(super) fn any_key_or_token(self, scopes: &[KeyScope]) -> Result<Caller, ApiError> {
        match self.0 {
            Caller::Key(key) => scoped(key, scopes).map(Caller::Key),
            token @ Caller::Token(_) => Ok(token),
        }
    }

    /// Any secret key with one of these scopes: a payout.
    pub(super) fn any_key(self, scopes: &[KeyScope]) -> Result<SecretKey, ApiError> {
        match self.0 {
            Caller::Key(key) => scoped(key, scopes),
            Caller::Token(_) => {
                Err(not_allowed("A checkout token may not use this route. Use a secret key."))
            }
        }
    }

    /// A key of the second generation with one of these scopes.
    pub(super) fn v2_key(self, scopes: &[KeyScope]) -> Result<SecretKey, ApiError> {
        match self.0 {
            Caller::Key(SecretKey { generation: Generation::V1, .. }) => {
                Err(not_allowed(V2_NEEDED))
            }
            _ => self.any_key(scopes),
        }
    }

    /// The session of a checkout token. Refuses secret keys.
    pub(super) fn token(self) -> Result<Checkout, ApiError> {
        match self.0 {
            Caller::Token(checkout) => Ok(*checkout),
            Caller::Key(_) => {
                Err(not_allowed("This route takes a checkout token, not a secret key."))
            }
        }
    }

    /// A key of the second generation with one of these scopes, or a checkout token.
    pub(super) fn v2_key_or_token(self, scopes: &[KeyScope]) -> Result<Caller, ApiError> {
        match self.0 {
            Caller::Key(SecretKey { generation: Generation::V1, .. }) => {
                Err(not_allowed(V2_NEEDED))
            }
            _ => self.any_key_or_token(scopes),
        }
    }
}

/// The key, if it has one of these scopes.
fn scoped(key: SecretKey, scopes: &[KeyScope]) -> Result<SecretKey, ApiError> {
    require_scope(&key, scopes).map(|()| key)
}

/// Refuses a key that has none of these scopes.
pub(super) fn require_scope(key: &SecretKey, scopes: &[KeyScope]) -> Result<(), ApiError> {
    if scopes.iter().any(|scope| key.scopes.contains(*scope)) {
        return Ok(());
    }
    let needed: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    let detail = format!(
        "This route needs a key with the scope {}. This key has {}.",
        needed.join(" or "),
        key.scopes
    );
    Err(ApiError::new(ErrorCode::ScopeMissing, detail))
}

const V2_NEEDED: &str = "This route takes a v2 secret key (tua_test_v2_… or tua_live_v2_…).";

/// The one credential that a request carries, in either header.
pub(super) fn credential(headers: &HeaderMap) -> Result<&str, ApiError> {
    let keys = headers.get_all(API_KEY).iter().map(|value| text(value).map(str::trim));
    let bearers = headers.get_all(header::AUTHORIZATION).iter().map(|value| bearer(text(value)?));
    let mut found: Option<&str> = None;
    let mut unreadable: Option<ApiError> = None;
    for one in keys.chain(bearers) {
        match one {
            Ok(one) if found.is_some_and(|other| other != one) => return Err(conflicting()),
            Ok(one) => found = Some(one),
            Err(refusal) => unreadable = unreadable.or(Some(refusal)),
        }
    }
    if let Some(refusal) = unreadable {
        return Err(if found.is_some() { conflicting() } else { refusal });
    }
    found.filter(|credential| !credential.is_empty()).ok_or_else(|| {
        ApiError::new(
            ErrorCode::MissingCredentials,
            "Send a credential as `x-api-key: <key>` or as `Authorization: Bearer <key>`.",
        )
    })
}

fn conflicting() -> ApiError {
    ApiError::new(
        ErrorCode::ConflictingCredentials,
        "The request has two different credentials. Send one, as x-api-key or as Authorization.",
    )
}

fn text(value: &HeaderValue) -> Result<&str, ApiError> {
    value.to_str().map_err(|_| unknown_text(value.as_bytes()))
}

fn bearer(value: &str) -> Result<&str, ApiError> {
    without_scheme(value).ok_or_else(|| unknown_scheme(value.trim()))
}

fn not_allowed(detail: &'static str) -> ApiError {
    ApiError::new(ErrorCode::CredentialNotAllowed, detail)
}

/// The refusal of a key that came from an address which is not one of its own.
fn foreign_address(key: &SecretKey, client: Client) -> ApiError {
    tracing::warn!(
        key = %key.id, account = %key.scope.account, address = %client.address,
        "a secret key was sent from an address that it does not allow"
    );
    ApiError::new(
        ErrorCode::AddressNotAllowed,
        "This secret key may not be used from this address.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(
            code(&[(API_KEY, "k"), (header::AUTHORIZATION, "Bearer k")]),
            Ok("k".to_owned())
        );
    }

    #[test]
    fn two_different_credentials_conflict_wherever_they_stand() {
        for pairs in [
            [(API_KEY, "k"), (header::AUTHORIZATION, "Bearer other")],
            [(API_KEY, "k"), (API_KEY, "other")],
            [(API_KEY, "k"), (header::AUTHORIZATION, "Basic azo=")],
            [(API_KEY, "k"), (header::AUTHORIZATION, "")],
            [(API_KEY, "k"), (header::AUTHORIZATION, "k")],
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
