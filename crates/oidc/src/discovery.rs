//! The provider's metadata and keys (OpenID Connect Discovery 1.0), read at the first use and kept.

use super::{error::OidcError, http_client};
use openidconnect::{
    AdditionalProviderMetadata, IssuerUrl, ProviderMetadata,
    core::{
        CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType,
        CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm,
        CoreResponseMode, CoreResponseType, CoreSubjectIdentifierType,
    },
};
use reqwest::Client;
use serde::{Deserialize, Serialize};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::Mutex;
use tua_domain::ports::Clock;
use tua_net::innermost_cause;
use url::Url;

/// How soon the provider is called again after an attempt, so that neither a provider that is away
/// nor a forged token causes many requests.
const RETRY_INTERVAL: Duration = Duration::from_secs(30);

/// How long keys are trusted without asking the provider whether it still has them.
const MAX_METADATA_AGE: Duration = Duration::from_secs(3_600);

/// The members that the library does not read.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct OtherMetadata {
    /// Whether responses name the issuer (RFC 9207 section 3).
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
    /// Where people sign out of the provider (OpenID Connect RP-Initiated Logout 1.0).
    pub(super) end_session_endpoint: Option<Url>,
}

impl AdditionalProviderMetadata for OtherMetadata {}

/// The metadata with the keys.
pub(super) type Metadata = ProviderMetadata<
    OtherMetadata,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// Reads the metadata of the provider, and caches it.
#[derive(Debug)]
pub(super) struct Discovery {
    issuer: IssuerUrl,
    client: Client,
    clock: Arc<dyn Clock>,
    cache: Mutex<MetadataCache>,
}

#[derive(Debug, Default)]
struct MetadataCache {
    metadata: Option<Arc<Metadata>>,
    /// The uptime of the last attempt.
    attempted_at: Option<Duration>,
    /// The uptime of the last attempt that succeeded.
    read_at: Option<Duration>,
}

impl Discovery {
    pub(super) fn new(issuer: IssuerUrl, client: Client, clock: Arc<dyn Clock>) -> Self {
        Self { issuer, client, clock, cache: Mutex::default() }
    }

    /// The metadata, at most an hour old where the provider can be reached.
    ///
    /// # Errors
    /// [`OidcError::Unreachable`].
    pub(super) async fn metadata(&self) -> Result<Arc<Metadata>, OidcError> {
        self.read(MAX_METADATA_AGE).await
    }

    /// The metadata, fetched again because a token has a key that is not known.
    ///
    /// # Errors
    /// [`OidcError::Unreachable`].
    pub(super) async fn refreshed(&self) -> Result<Arc<Metadata>, OidcError> {
        self.read(RETRY_INTERVAL).await
    }

    /// The metadata, if it was read before, and no request to the provider is under way.
    pub(super) fn cached(&self) -> Option<Arc<Metadata>> {
        self.cache.try_lock().ok()?.metadata.clone()
    }

    async fn read(&self, max_age: Duration) -> Result<Arc<Metadata>, OidcError> {
        let mut cache = self.cache.lock().await;
        let uptime = self.clock.uptime();
        let is_older =
            |at: Option<Duration>, age| at.is_none_or(|at| uptime.saturating_sub(at) >= age);
        if is_older(cache.read_at, max_age) && is_older(cache.attempted_at, RETRY_INTERVAL) {
            let found = self.fetch().await;
            // After the answer: an attempt that was dropped with its request does not count.
            cache.attempted_at = Some(uptime);
            if let Some(metadata) = found {
                cache.metadata = Some(Arc::new(metadata));
                cache.read_at = Some(uptime);
            }
        }
        cache.metadata.clone().ok_or(OidcError::Unreachable)
    }

    async fn fetch(&self) -> Option<Metadata> {
        let started = Instant::now();
        let client = self.client.clone();
        let http = move |request| http_client::send(client.clone(), request);
        match Metadata::discover_async(self.issuer.clone(), &http).await {
            Ok(metadata) => {
                let keys = metadata.jwks().keys().len();
                tracing::info!(
                    issuer = self.issuer.as_str(),
                    keys,
                    duration_ms = ?started.elapsed(),
                    "read the metadata of the sign-in provider"
                );
                Some(metadata)
            }
            Err(error) => {
                let cause = innermost_cause(&error);
                tracing::warn!(issuer = self.issuer.as_str(), %error, cause, "the sign-in provider \
                    could not be reached");
                None
            }
        }
    }
}
