//! Finds the holder of a credential.

use std::sync::Arc;
use tua_domain::{
    Caller, Checkout, SecretKey,
    checkout::EndedCheckout,
    key_use::KeyUses,
    mail::{Alert, AlertKind},
    ports::{Accounts, Checkouts, Clock, MailOutbox, StoreError},
    secret::SecretDigest,
};

/// Finds the caller of a request by the digest of its credential.
#[derive(Debug)]
pub struct Authentication {
    /// Finds the holder of a credential, and stores when a key was used.
    pub accounts: Arc<dyn Accounts>,
    /// Has the charges of the session that a token names.
    pub checkouts: Arc<dyn Checkouts>,
    /// Takes the alerts about exposed keys.
    pub mail_outbox: Arc<dyn MailOutbox>,
    /// Decides which keys and tokens have expired.
    pub clock: Arc<dyn Clock>,
    /// Which uses of keys were recorded.
    pub key_uses: KeyUses,
    /// Which exposures of keys were reported.
    pub exposures: KeyUses,
    /// Which test keys were seen in browsers.
    pub test_keys_in_browsers: KeyUses,
}

/// Why a credential is refused.
#[derive(Debug, thiserror::Error)]
pub enum AuthenticationError {
    /// Nobody holds it: it is unknown, revoked or an expired key.
    #[error("the credential is not valid")]
    Unknown,
    /// The token of a session that has expired or was closed.
    #[error("the token has expired")]
    Expired {
        /// What the response shows of the session.
        ended: EndedCheckout,
        /// The session. Its requests count against its own limit, not against the limit of their
        /// address.
        checkout: Box<Checkout>,
    },
    /// The store failed, so it is unknown whether the credential is valid.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Authentication {
    /// The holder of the credential with this digest.
    ///
    /// # Errors
    /// [`AuthenticationError`].
    pub async fn authenticate(
        &self,
        credential: SecretDigest,
    ) -> Result<Caller, AuthenticationError> {
        let now = self.clock.now();
        let caller = self.accounts.caller(credential, now).await?;
        let caller = caller.ok_or(AuthenticationError::Unknown)?;
        match caller {
            // Usually neither; then its charges need not be read.
            Caller::Token(checkout) if checkout.is_expired(now) || checkout.closed_at.is_some() => {
                let summary = self.checkouts.checkout_summary(&checkout.id).await?;
                match checkout.ended(&summary, now) {
                    None => Ok(Caller::Token(checkout)),
                    Some(ended) => Err(AuthenticationError::Expired { ended, checkout }),
                }
            }
            caller => Ok(caller),
        }
    }

    /// Tells the owners of the account that a live key has leaked, at most once a minute: a key in
    /// a busy page comes with each visitor. A request is refused in any case.
    pub async fn report_exposed(&self, key: &SecretKey) {
        let now = self.clock.now();
        if !self.exposures.is_news(&key.id, now) {
            return;
        }
        let alert = Alert {
            scope: key.scope.clone(),
            kind: AlertKind::KeyExposed,
            subject: key.id.as_str().to_owned(),
            occurred_at: now,
        };
        if let Err(error) = self.mail_outbox.add_alert(alert).await {
            tracing::warn!(key = %key.id, %error, "the alert about an exposed key could not be \
                stored");
        }
    }

    /// Logs one warning for each test key that arrives from a browser, until the process ends.
    /// Anybody may read a key that a page has; with a live key the page would not work.
    pub fn warn_of_browser(&self, key: &SecretKey) {
        if self.test_keys_in_browsers.is_first(&key.id, self.clock.now()) {
            tracing::warn!(
                key = %key.id, account = %key.scope.account,
                "a test key was sent from a browser: keep secret keys on your server, and use a \
                 checkout token in pages; a live key would be refused"
            );
        }
    }

    /// Records that a key was used, once a minute. A request is not refused where that fails.
    pub async fn record_use(&self, key: &SecretKey) {
        let now = self.clock.now();
        if self.key_uses.is_news(&key.id, now)
            && let Err(error) = self.accounts.note_key_use(&key.id, now).await
        {
            tracing::warn!(key = %key.id, %error, "the use of a key could not be recorded");
        }
    }
}
