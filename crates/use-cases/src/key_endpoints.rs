//! Adds, reads, changes and removes webhook endpoints for requests with a secret key. Each key has
//! the endpoints of its account and mode.

use super::{
    idempotency::{Idempotency, IdempotentResult, RepeatableError},
    webhook_endpoints::{EndpointWithSecret, WebhookEndpoints},
};
use futures_util::FutureExt;
use jiff::{SignedDuration, Timestamp};
use std::{fmt, sync::Arc};
use tua_domain::{
    Caller, EndpointId, Scope, SecretKey,
    audit::{AuditContext, Source},
    idempotency::{IdempotencyKey, IdempotencyRecord, Operation, ResponseSnapshot, StoredResponse},
    ports::{ChangedEndpoint, StoreError},
    webhook::{Endpoint, endpoint::CreateEndpointError},
};
use url::Url;

/// Manages the webhook endpoints of a secret key's account and mode.
#[derive(Clone, Debug)]
pub struct KeyEndpoints {
    /// The use cases that the dashboard and the command line have too.
    pub endpoints: WebhookEndpoints,
    /// Adds an endpoint once for each idempotency key.
    pub idempotency: Arc<Idempotency>,
}

/// An endpoint that a request has added. `Debug` hides the secret.
#[derive(Clone)]
pub struct AddedEndpoint {
    /// The endpoint as it was added.
    pub endpoint: Endpoint,
    /// The only copy of the secret's text. `None` for a repeated request: a secret is shown once.
    pub secret: Option<String>,
}

impl fmt::Debug for AddedEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddedEndpoint").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl KeyEndpoints {
    /// Adds an endpoint to the key's account and mode, once for each idempotency key.
    ///
    /// # Errors
    /// [`CreateEndpointError`]. Then nothing was added, unless the store is uncertain
    /// ([`StoreError::Uncertain`]).
    pub async fn add(
        &self,
        holder: SecretKey,
        url: &Url,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<IdempotentResult<AddedEndpoint>, CreateEndpointError> {
        let by = self.audit_context(&holder);
        let server_key = self.idempotency.keys.current();
        let (endpoint, secret) = Endpoint::new(holder.scope.clone(), url, &server_key, by.at);
        let created_by = holder.id.clone();
        let caller = Caller::Key(holder);
        let fields = [Some(url.as_str())];
        let attempt = self.idempotency.attempt(
            &caller.holder(),
            Operation::WebhookEndpoint,
            idempotency_key,
            &fields,
        );
        let outbox = self.endpoints.outbox.clone();
        let response = attempt
            .clone()
            .map(|attempt| StoredResponse { attempt, snapshot: ResponseSnapshot::NEW_RESOURCE });
        let work = async move {
            outbox.create_endpoint(endpoint.clone(), &created_by, response, &by).await?;
            Ok(AddedEndpoint { endpoint, secret: Some(secret) })
        }
        .boxed();
        self.idempotency.run(attempt, work, |record| self.replay(record)).await
    }

    /// The endpoint of an earlier request as it was added, without its secret.
    async fn replay(
        &self,
        record: IdempotencyRecord,
    ) -> Result<AddedEndpoint, CreateEndpointError> {
        let found = self.endpoints.outbox.endpoint(&EndpointId::new(record.subject)).await?;
        let endpoint = found.ok_or_else(|| StoreError::failed("an endpoint is missing"))?;
        let endpoint =
            Endpoint { old_secret: None, disabled_at: None, removed_at: None, ..endpoint };
        Ok(AddedEndpoint { endpoint, secret: None })
    }

    /// A page of the endpoints of this account and mode, newest first, without those that were
    /// removed: at most `limit`, after the one that ended the page before. An account has few, so
    /// all are read.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn page(
        &self,
        scope: &Scope,
        after: Option<EndpointId>,
        limit: usize,
    ) -> Result<Vec<Endpoint>, StoreError> {
        let mut found = self.endpoints.list_in(scope).await?;
        found.sort_unstable_by(|one, other| other.id.cmp(&one.id));
        found.retain(|endpoint| after.as_ref().is_none_or(|after| endpoint.id < *after));
        found.truncate(limit);
        Ok(found)
    }

    /// An endpoint of this account and mode. `None` if it does not exist or was removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: &Scope,
        id: &EndpointId,
    ) -> Result<Option<Endpoint>, StoreError> {
        self.endpoints.find(Some(scope), id).await
    }

    /// Sets a new secret of an endpoint. During `overlap` the previous secret also signs. `None` if
    /// the endpoint does not exist or was removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn rotate_secret(
        &self,
        holder: &SecretKey,
        id: &EndpointId,
        overlap: SignedDuration,
    ) -> Result<Option<EndpointWithSecret>, StoreError> {
        let Some(endpoint) = self.find(&holder.scope, id).await? else { return Ok(None) };
        let by = self.audit_context(holder);
        let server_key = self.idempotency.keys.current();
        self.endpoints.rotate_secret(&endpoint.id, by.at + overlap, &server_key, &by).await
    }

    /// Enables an endpoint. With `resend`, what was recorded while it was disabled is sent. `None`
    /// if it does not exist or was removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn enable(
        &self,
        holder: &SecretKey,
        id: &EndpointId,
        resend: bool,
    ) -> Result<Option<ChangedEndpoint>, StoreError> {
        let Some(endpoint) = self.find(&holder.scope, id).await? else { return Ok(None) };
        self.endpoints.enable(&endpoint.id, resend, &self.audit_context(holder)).await
    }

    /// Disables an endpoint: its events are recorded, and not sent. `None` if it does not exist or
    /// was removed.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn disable(
        &self,
        holder: &SecretKey,
        id: &EndpointId,
    ) -> Result<Option<Endpoint>, StoreError> {
        let Some(endpoint) = self.find(&holder.scope, id).await? else { return Ok(None) };
        let changed = self.endpoints.disable(&endpoint.id, &self.audit_context(holder)).await?;
        Ok(changed.map(|changed| changed.endpoint))
    }

    /// Removes an endpoint, and returns it. Its pending deliveries fail. `None` if it does not
    /// exist or was removed before.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn remove(
        &self,
        holder: &SecretKey,
        id: &EndpointId,
    ) -> Result<Option<Endpoint>, StoreError> {
        let Some(endpoint) = self.find(&holder.scope, id).await? else { return Ok(None) };
        let by = self.audit_context(holder);
        let is_removed = self.endpoints.remove(&endpoint.id, &by).await?;
        let removed = Endpoint { removed_at: Some(by.at), old_secret: None, ..endpoint };
        Ok(is_removed.then_some(removed))
    }

    /// The present time, with which callers decide whether a previous secret has ended.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.idempotency.clock.now()
    }

    fn audit_context(&self, holder: &SecretKey) -> AuditContext {
        AuditContext {
            at: self.idempotency.clock.now(),
            actor: holder.id.as_str().to_owned(),
            source: Source::Api,
            device: None,
            key: self.idempotency.keys.audit_key(),
        }
    }
}

impl RepeatableError for CreateEndpointError {
    fn is_store_error(&self) -> bool {
        matches!(self, Self::Store(_))
    }
}
