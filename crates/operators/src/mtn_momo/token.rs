//! Access tokens: one for each product, fetched once for all callers and ahead of their end.

use super::{
    headers::{SUBSCRIPTION_KEY, TARGET_ENVIRONMENT},
    settings::Credentials,
    wire::{ErrorBody, TokenBody},
};
use crate::connection::{Call, Connection, Reply, Response};
use base64::{Engine, engine::general_purpose::STANDARD};
use futures_util::{FutureExt, future::BoxFuture, future::Shared};
use jiff::Timestamp;
use reqwest::{
    StatusCode,
    header::{AUTHORIZATION, CONTENT_LENGTH},
};
use secrecy::{ExposeSecret, SecretString};
use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tua_domain::{Kind, ports::AccessTokenStatus};

/// MTN's token requests take 10 to 20 s on the platform of 2026 (measured by a third party,
/// 2026-10).
const TOKEN_TIMEOUT: Duration = Duration::from_secs(40);

/// The lifetime of a token whose response does not contain one. MTN documents 3600 s.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(600);

/// The part of its lifetime, in percent, after which a token is replaced. It is used until its
/// replacement is there.
const REFRESH_AT_PERCENT: u32 = 80;

/// After a failure no other token is requested for this time, so that a refused credential is not
/// tried by every payment.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Why there is no token.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum TokenError {
    /// MTN refuses the credentials.
    #[error("{0}")]
    Refused(String),
    /// MTN did not respond, or not with a token.
    #[error("{0}")]
    Unavailable(String),
}

/// The access token of one product, which is fetched when it is needed and replaced before it ends.
#[derive(Clone)]
pub(super) struct TokenCache(Arc<CacheInner>);

struct CacheInner {
    connection: Arc<Connection>,
    product: &'static str,
    target_environment: String,
    credentials: Credentials,
    state: Mutex<CacheState>,
}

#[derive(Default)]
struct CacheState {
    token: Option<Token>,
    /// The request that is under way. It is a task of its own, so that it ends although its first
    /// caller gave up.
    fetch: Option<Fetch>,
    /// The last failure, and when it was, by the clock's uptime. `None` after a success.
    last_failure: Option<(Duration, TokenError)>,
    /// How many requests brought a token, and how many failed.
    counts: FetchCounts,
}

#[derive(Clone, Copy, Default)]
struct FetchCounts {
    fetched: u64,
    failed: u64,
}

#[derive(Clone)]
struct Token {
    value: SecretString,
    /// When it is replaced, by the clock's uptime.
    refresh_at: Duration,
    /// When it ends, by the clock's uptime.
    ends_at: Duration,
    /// When it ends, by the wall clock. For the metrics.
    valid_until: Timestamp,
}

type Fetch = Shared<BoxFuture<'static, Result<SecretString, TokenError>>>;

impl TokenCache {
    pub(super) fn new(
        connection: Arc<Connection>,
        product: &'static str,
        target_environment: String,
        credentials: Credentials,
    ) -> Self {
        Self(Arc::new(CacheInner {
            connection,
            product,
            target_environment,
            credentials,
            state: Mutex::default(),
        }))
    }

    /// A valid token: the present one, or the one that is requested for all callers at once.
    ///
    /// # Errors
    /// [`TokenError`].
    pub(super) async fn get(&self) -> Result<SecretString, TokenError> {
        let (usable, fetch) = {
            let now = self.0.connection.clock().uptime();
            let mut state = self.0.lock();
            let usable = state.token.clone().filter(|token| now < token.ends_at);
            if let Some(token) = usable.as_ref().filter(|token| now < token.refresh_at) {
                return Ok(token.value.clone());
            }
            let usable = usable.map(|token| token.value);
            let under_way = state.fetch.clone().filter(|fetch| fetch.peek().is_none());
            let fetch = match (under_way, &state.last_failure) {
                (Some(fetch), _) => fetch,
                (None, Some((at, error))) if now < *at + RETRY_AFTER => {
                    return usable.ok_or_else(|| error.clone());
                }
                (None, _) => {
                    let fetch = self.start_fetch();
                    state.fetch = Some(fetch.clone());
                    fetch
                }
            };
            (usable, fetch)
        };
        match usable {
            Some(token) => Ok(token),
            None => fetch.await,
        }
    }

    /// Drops this token, which MTN has refused, unless it is replaced already.
    pub(super) fn discard_refused(&self, refused: &SecretString) {
        let mut state = self.0.lock();
        let is_current = |token: &Token| token.value.expose_secret() == refused.expose_secret();
        state.token = state.token.take().filter(|token| !is_current(token));
    }

    /// How many tokens were fetched for this direction, and until when the present one is valid.
    pub(super) fn status(&self, kind: Kind) -> AccessTokenStatus {
        let state = self.0.lock();
        let FetchCounts { fetched, failed } = state.counts;
        AccessTokenStatus {
            kind,
            fetched,
            failed,
            valid_until: state.token.as_ref().map(|token| token.valid_until),
        }
    }

    fn start_fetch(&self) -> Fetch {
        let source = self.0.clone();
        let task = tokio::spawn(async move { source.fetch_and_store().await });
        let ended =
            || TokenError::Unavailable("the token request ended without a result".to_owned());
        async move { task.await.unwrap_or_else(|_| Err(ended())) }.boxed().shared()
    }
}

impl CacheInner {
    async fn fetch_and_store(&self) -> Result<SecretString, TokenError> {
        let result = self.fetch().await;
        let now = self.connection.clock().uptime();
        let mut state = self.lock();
        state.fetch = None;
        match result {
            Ok(token) => {
                state.last_failure = None;
                state.counts.fetched += 1;
                state.token = Some(token.clone());
                Ok(token.value)
            }
            Err(error) => {
                state.last_failure = Some((now, error.clone()));
                state.counts.failed += 1;
                Err(error)
            }
        }
    }

    async fn fetch(&self) -> Result<Token, TokenError> {
        let requested_uptime = self.connection.clock().uptime();
        let requested_at = self.connection.clock().now();
        let Credentials { user, key, subscription_key } = &self.credentials;
        // Unencoded: user ids of the platform of 2026 end with `=`, and encoded ones are answered
        // with 500.
        let basic = STANDARD.encode(format!("{user}:{}", key.expose_secret()));
        let call = Call::post(format!("/{}/token/", self.product))
            // A body is refused with 400, and gateways require the length.
            .header(CONTENT_LENGTH, "0")
            .secret_header(AUTHORIZATION, &format!("Basic {basic}"))
            .secret_header(SUBSCRIPTION_KEY, subscription_key.expose_secret())
            // Mandatory on the platform of 2026, ignored by the legacy one.
            .header(TARGET_ENVIRONMENT, &self.target_environment)
            .timeout(TOKEN_TIMEOUT);
        let response = match self.connection.call(call).await {
            Reply::Response(response) => response,
            Reply::NotSent => return Err(TokenError::Unavailable("no connection".to_owned())),
            Reply::NoResponse => {
                return Err(TokenError::Unavailable("no response to the token request".to_owned()));
            }
        };
        let token: Option<TokenBody> =
            response.json().filter(|_| response.status == StatusCode::OK);
        let Some(token) = token else { return Err(token_error(&response)) };
        let stated = token
            .expires_in
            .and_then(|seconds| seconds.as_str().parse().ok())
            .map(Duration::from_secs);
        let lifetime = stated.unwrap_or(DEFAULT_LIFETIME);
        Ok(Token {
            value: SecretString::from(token.access_token),
            refresh_at: requested_uptime
                .saturating_add(lifetime.saturating_mul(REFRESH_AT_PERCENT) / 100),
            ends_at: requested_uptime.saturating_add(lifetime),
            valid_until: requested_at.saturating_add(lifetime).unwrap_or(Timestamp::MAX),
        })
    }

    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a response contains no token: MTN refuses the credentials, or cannot issue one. Texts of MTN
/// contain no credential.
fn token_error(response: &Response) -> TokenError {
    let status = response.status;
    let body: Option<ErrorBody> = response.json();
    let text = body.and_then(|body| body.error.or(body.message).or(body.code));
    match (status, text) {
        (
            StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN,
            Some(text),
        ) => TokenError::Refused(format!("token request: HTTP {}: {text}", status.as_u16())),
        _ => TokenError::Unavailable(format!(
            "token request: HTTP {} without a token",
            status.as_u16()
        )),
    }
}

impl fmt::Debug for TokenCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenCache").field("product", &self.0.product).finish_non_exhaustive()
    }
}
