//! A webhook endpoint and its secrets.

use crate::{
    EndpointId, Scope,
    encrypted_secret::EncryptedSecret,
    idempotency::RepeatError,
    mail::{Alert, AlertKind},
    secret::{ServerKey, random_bytes},
    store_error::StoreError,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use url::Url;

/// The prefix of every endpoint secret (Standard Webhooks 1.0).
const SECRET_PREFIX: &str = "whsec_";

/// The most endpoints that an account and mode may have where a secret key adds one more. Each
/// event writes a row for each of them, so a program that adds one at each of its starts must not
/// go on without end. People may add more.
pub const MAX_ENDPOINTS: u32 = 16;

/// A URL of a merchant, to which events of one account and mode are sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// `whe_…`, minted when the endpoint is added.
    pub id: EndpointId,
    /// The account and mode whose events it receives.
    pub scope: Scope,
    /// The URL that events are sent to.
    pub url: String,
    /// The secret that signs them.
    pub secret: EncryptedSecret,
    /// The previous secret, which also signs until this time, so that a merchant can rotate secrets
    /// without an outage.
    pub old_secret: Option<(EncryptedSecret, Timestamp)>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When a person disabled it, or it responded with 410 (Gone); `None` while it is enabled.
    pub disabled_at: Option<Timestamp>,
    /// When it was removed. Its deliveries can still be listed.
    pub removed_at: Option<Timestamp>,
}

/// Why an endpoint of a secret key was not added.
#[derive(Debug, thiserror::Error)]
pub enum CreateEndpointError {
    /// The key was revoked since it was checked.
    #[error("the key was revoked")]
    KeyRevoked,
    /// The account and mode has [`MAX_ENDPOINTS`] already.
    #[error("this account and mode has too many endpoints")]
    TooMany,
    /// The idempotency key was used before.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// The store failed. The variant of [`StoreError`] shows whether the endpoint may have been
    /// written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An endpoint that an event is recorded for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipient {
    /// `whe_…`, the endpoint for which a delivery is inserted.
    pub id: EndpointId,
    /// Whether it is enabled. Otherwise the event is recorded, and not sent.
    pub is_enabled: bool,
}

impl Endpoint {
    /// The alert that the service has disabled it.
    #[must_use]
    pub fn disabled_alert(&self, now: Timestamp) -> Alert {
        let scope = self.scope.clone();
        let subject = self.id.as_str().to_owned();
        Alert { scope, kind: AlertKind::EndpointDisabled, subject, occurred_at: now }
    }

    /// Creates an endpoint with a new secret. Returns the secret's text, which is shown once.
    #[must_use]
    pub fn new(scope: Scope, url: &Url, key: &ServerKey, now: Timestamp) -> (Self, String) {
        let (secret, text) = new_secret(key);
        let endpoint = Self {
            id: EndpointId::mint(),
            scope,
            url: url.as_str().to_owned(),
            secret,
            old_secret: None,
            created_at: now,
            disabled_at: None,
            removed_at: None,
        };
        (endpoint, text)
    }

    /// The host of its URL. The path and the query may contain secrets of the merchant.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        Url::parse(&self.url).ok()?.host_str().map(str::to_owned)
    }

    /// The secrets that sign at this time, newest first.
    pub fn secrets(&self, now: Timestamp) -> impl Iterator<Item = &EncryptedSecret> {
        let old =
            self.old_secret.iter().filter(move |(_, until)| now < *until).map(|(secret, _)| secret);
        std::iter::once(&self.secret).chain(old)
    }
}

/// A new secret: 256 bits from the system's random source, encrypted and as text.
#[must_use]
pub fn new_secret(key: &ServerKey) -> (EncryptedSecret, String) {
    let text = signing_secret();
    (EncryptedSecret::encrypt(key, &text), text)
}

/// The text of a new secret: 256 bits from the system's random source, as `whsec_…` (Standard
/// Webhooks 1.0).
#[must_use]
pub fn signing_secret() -> String {
    format!("{SECRET_PREFIX}{}", STANDARD.encode(random_bytes::<32>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AccountId, Mode};
    use jiff::SignedDuration;

    #[test]
    fn two_secrets_sign_until_the_old_one_ends() {
        let key = ServerKey::parse(&"A".repeat(43)).unwrap();
        let now = Timestamp::UNIX_EPOCH;
        let scope = Scope { account: AccountId::mint(), mode: Mode::Test };
        let url = Url::parse("https://shop.example/").unwrap();
        let (mut endpoint, _) = Endpoint::new(scope, &url, &key, now);
        endpoint.old_secret = Some((new_secret(&key).0, now + SignedDuration::from_secs(1)));
        assert_eq!(endpoint.secrets(now).count(), 2);
        assert_eq!(endpoint.secrets(now + SignedDuration::from_secs(1)).count(), 1);
    }
}
