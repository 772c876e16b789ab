//! Adds, lists, changes and removes the webhook endpoints of merchants' servers.

use super::account_read_error::{AccountReadError, require_account};
use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    AccountId, EndpointId, Scope,
    audit::AuditContext,
    change_notifier::ChangeNotifier,
    ports::{self, ChangedEndpoint, DeliveryFilter, EndpointChange, Outbox, StoreError},
    secret::ServerKey,
    webhook::{Delivery, Endpoint, delivery::DeliveryStatus, endpoint::new_secret},
};
use url::Url;

/// Adds, lists, changes and removes webhook endpoints.
#[derive(Clone, Debug)]
pub struct WebhookEndpoints {
    /// Where endpoints are stored.
    pub outbox: Arc<dyn Outbox>,
    /// Has the accounts whose endpoints are listed.
    pub accounts: Arc<dyn ports::Accounts>,
    /// Is notified where a change makes deliveries due.
    pub changes: Arc<ChangeNotifier>,
}

/// How many of the newest deliveries decide whether an endpoint is failing.
const NEWEST: u32 = 50;

/// An endpoint whose last attempt has failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailingEndpoint {
    /// The id of the endpoint.
    pub id: EndpointId,
    /// The delivery with the last attempt.
    pub last: Delivery,
}

/// An endpoint with a new secret. `Debug` hides the secret.
pub struct EndpointWithSecret {
    /// The endpoint as it is stored.
    pub endpoint: Endpoint,
    /// The only copy of the secret's text.
    pub secret: String,
}

impl std::fmt::Debug for EndpointWithSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EndpointWithSecret")
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

/// Why no test event is sent.
#[derive(Debug, thiserror::Error)]
pub enum PingError {
    /// The endpoint is disabled, so it gets no event.
    #[error("it is disabled, so no event is sent to it; enable it first")]
    Disabled,
    /// The store could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl WebhookEndpoints {
    /// The endpoints of all accounts, or of one, oldest first, without those that were removed.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn list(
        &self,
        account: Option<&AccountId>,
    ) -> Result<Vec<Endpoint>, AccountReadError> {
        require_account(self.accounts.as_ref(), account).await?;
        Ok(self.outbox.endpoints(account).await?)
    }

    /// The endpoints of an account and mode, oldest first, without those that were removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list_in(&self, scope: &Scope) -> Result<Vec<Endpoint>, StoreError> {
        let mut endpoints = self.outbox.endpoints(Some(&scope.account)).await?;
        endpoints.retain(|one| one.scope == *scope);
        Ok(endpoints)
    }

    /// The enabled endpoints of an account and mode whose last attempt has failed, each with that
    /// delivery.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn failing(&self, scope: &Scope) -> Result<Vec<FailingEndpoint>, StoreError> {
        let mut failing = Vec::new();
        for endpoint in self.list_in(scope).await? {
            if endpoint.disabled_at.is_some() {
                continue;
            }
            let id = endpoint.id;
            let newest = DeliveryFilter {
                endpoint: Some(id.clone()),
                limit: NEWEST,
                ..DeliveryFilter::default()
            };
            let newest = self.outbox.deliveries(newest).await?;
            let attempted = newest.into_iter().filter(|one| one.last.is_some());
            let last = attempted.max_by_key(|one| one.last.as_ref().map(|last| last.at));
            if let Some(last) = last.filter(|one| one.status != DeliveryStatus::Delivered) {
                failing.push(FailingEndpoint { id, last });
            }
        }
        Ok(failing)
    }

    /// An endpoint of this account and mode, or of any, that was not removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: Option<&Scope>,
        id: &EndpointId,
    ) -> Result<Option<Endpoint>, StoreError> {
        // No id has one, and PostgreSQL could not compare it.
        if id.as_str().contains('\0') {
            return Ok(None);
        }
        let is_wanted = |one: &Endpoint| {
            one.removed_at.is_none() && scope.is_none_or(|scope| one.scope == *scope)
        };
        Ok(self.outbox.endpoint(id).await?.filter(is_wanted))
    }

    /// Adds an endpoint of an existing account. `key` encrypts its secret.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn add(
        &self,
        scope: Scope,
        url: &Url,
        key: &ServerKey,
        by: &AuditContext,
    ) -> Result<EndpointWithSecret, StoreError> {
        let (endpoint, secret) = Endpoint::new(scope, url, key, by.at);
        self.outbox.add_endpoint(endpoint.clone(), by).await?;
        Ok(EndpointWithSecret { endpoint, secret })
    }

    /// Sets a new secret, which `key` encrypts. The previous one also signs until this time. `None`
    /// if the endpoint does not exist or was removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn rotate_secret(
        &self,
        id: &EndpointId,
        until: Timestamp,
        key: &ServerKey,
        by: &AuditContext,
    ) -> Result<Option<EndpointWithSecret>, StoreError> {
        let (encrypted, secret) = new_secret(key);
        let change = EndpointChange::RotateSecret(encrypted, until);
        let changed = self.outbox.change_endpoint(id, change, by).await?;
        Ok(changed.map(|changed| EndpointWithSecret { endpoint: changed.endpoint, secret }))
    }

    /// Enables an endpoint. With `resend`, what was recorded while it was disabled is sent. `None`
    /// if it does not exist or was removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn enable(
        &self,
        id: &EndpointId,
        resend: bool,
        by: &AuditContext,
    ) -> Result<Option<ChangedEndpoint>, StoreError> {
        let changed =
            self.outbox.change_endpoint(id, EndpointChange::Enable { resend }, by).await?;
        self.changes.notify_outbox();
        Ok(changed)
    }

    /// Disables an endpoint: its events are recorded, and not sent. `None` if it does not exist or
    /// was removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn disable(
        &self,
        id: &EndpointId,
        by: &AuditContext,
    ) -> Result<Option<ChangedEndpoint>, StoreError> {
        self.outbox.change_endpoint(id, EndpointChange::Disable, by).await
    }

    /// Removes an endpoint. Its pending deliveries fail. `false` if it does not exist or was
    /// removed before.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn remove(&self, id: &EndpointId, by: &AuditContext) -> Result<bool, StoreError> {
        self.outbox.remove_endpoint(id, by).await
    }

    /// Sends a test event to an endpoint. `None` if it does not exist or was removed.
    ///
    /// # Errors
    /// [`PingError`].
    pub async fn ping(
        &self,
        id: &EndpointId,
        now: Timestamp,
    ) -> Result<Option<Delivery>, PingError> {
        if self.find(None, id).await?.is_some_and(|endpoint| endpoint.disabled_at.is_some()) {
            return Err(PingError::Disabled);
        }
        let ping = self.outbox.ping_endpoint(id, now).await?;
        self.changes.notify_outbox();
        Ok(ping)
    }
}
