//! Adds, lists, changes and removes the endpoints of merchants' servers.

use super::errors::{no_endpoint, to_line};
use crate::cli::{
    context::{Common, audit_context, key_ring},
    output,
};
use jiff::Timestamp;
use serde::Serialize;
use tua_domain::{
    AccountId, EndpointId, Scope,
    ports::{ChangedEndpoint, EndpointChange, Store},
    webhook::{Endpoint, endpoint::new_secret},
};
use tua_webhooks::endpoint_url::parse_url;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EndpointRow<'a> {
    endpoint_id: &'a str,
    account_id: &'a str,
    mode: &'static str,
    url: &'a str,
    created_at: String,
    disabled_at: Option<String>,
    old_secret_until: Option<String>,
    /// Only when the secret has just been created.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<&'a str>,
    /// Only when it has just been enabled: how many events were recorded while it was disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<u64>,
    /// Only when it has just been enabled: whether these events are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    resent: Option<bool>,
}

pub(super) async fn add(
    store: &dyn Store,
    common: &Common,
    scope: Scope,
    url: &str,
    allow_private_webhooks: bool,
) -> Result<(), String> {
    let url = parse_url(url, scope.mode, allow_private_webhooks)
        .map_err(|fault| format!("url: {fault}"))?;
    if store.account(&scope.account).await.map_err(to_line)?.is_none() {
        return Err(format!("account: there is no account {}", scope.account));
    }
    let keys = key_ring(common, store).await?;
    let by = audit_context(common, store).await?;
    let (endpoint, secret) = Endpoint::new(scope, &url, &keys.current(), by.at);
    store.add_endpoint(endpoint.clone(), &by).await.map_err(to_line)?;
    shown_once(common, &endpoint, &secret)
}

pub(super) async fn rotate(
    store: &dyn Store,
    common: &Common,
    id: EndpointId,
    until: Timestamp,
) -> Result<(), String> {
    let keys = key_ring(common, store).await?;
    let by = audit_context(common, store).await?;
    let (encrypted, secret) = new_secret(&keys.current());
    let changed = store
        .change_endpoint(&id, EndpointChange::Rotate(encrypted, until), &by)
        .await
        .map_err(to_line)?;
    shown_once(common, &changed.ok_or_else(|| no_endpoint(&id))?.endpoint, &secret)
}

fn shown_once(common: &Common, endpoint: &Endpoint, secret: &str) -> Result<(), String> {
    let text = format!(
        "endpoint  {}\nsecret    {secret}\nThe secret is shown this once; use it to verify the \
         signatures of webhooks.",
        endpoint.id
    );
    output::print(
        common,
        &EndpointRow { secret: Some(secret), ..EndpointRow::new(endpoint) },
        &text,
    )
}

pub(super) async fn enable(
    store: &dyn Store,
    common: &Common,
    id: EndpointId,
    resend: bool,
) -> Result<(), String> {
    let by = audit_context(common, store).await?;
    let changed = store
        .change_endpoint(&id, EndpointChange::Enable { resend }, &by)
        .await
        .map_err(to_line)?;
    let ChangedEndpoint { endpoint, recorded } = changed.ok_or_else(|| no_endpoint(&id))?;
    let text = match (recorded, resend) {
        (0, _) => format!("{id} is enabled. No events were recorded while it was disabled."),
        (_, true) => {
            format!("{id} is enabled. {recorded} events that were recorded meanwhile are sent now.")
        }
        (_, false) => format!(
            "{id} is enabled. {recorded} events were recorded meanwhile and are not sent; \
             `tua webhook enable {id} --resend` sends them."
        ),
    };
    let row = EndpointRow {
        recorded: Some(recorded),
        resent: Some(resend),
        ..EndpointRow::new(&endpoint)
    };
    output::print(common, &row, &text)
}

pub(super) async fn remove(
    store: &dyn Store,
    common: &Common,
    id: EndpointId,
) -> Result<(), String> {
    let endpoint = store.endpoint(&id).await.map_err(to_line)?.ok_or_else(|| no_endpoint(&id))?;
    if !store.remove_endpoint(&id, &audit_context(common, store).await?).await.map_err(to_line)? {
        return Err(no_endpoint(&id));
    }
    let text = format!(
        "{id} is removed. Its deliveries can still be listed; those that were pending have failed."
    );
    output::print(common, &EndpointRow::new(&endpoint), &text)
}

pub(super) async fn list(
    store: &dyn Store,
    common: &Common,
    account: Option<AccountId>,
) -> Result<(), String> {
    if let Some(id) = &account
        && store.account(id).await.map_err(to_line)?.is_none()
    {
        return Err(format!("account: there is no account {id}"));
    }
    let endpoints = store.endpoints(account.as_ref()).await.map_err(to_line)?;
    let rows: Vec<EndpointRow<'_>> = endpoints.iter().map(EndpointRow::new).collect();
    let line = |row: &EndpointRow<'_>| {
        let status =
            row.disabled_at.as_ref().map_or_else(String::new, |at| format!("  disabled {at}"));
        format!("{}  {}  {}  {}{status}", row.endpoint_id, row.account_id, row.mode, row.url)
    };
    output::print_list(common, &rows, line, "There are no endpoints.")
}

impl<'a> EndpointRow<'a> {
    fn new(endpoint: &'a Endpoint) -> Self {
        Self {
            endpoint_id: endpoint.id.as_str(),
            account_id: endpoint.scope.account.as_str(),
            mode: endpoint.scope.mode.as_str(),
            url: &endpoint.url,
            created_at: endpoint.created_at.to_string(),
            disabled_at: endpoint.disabled_at.map(|at| at.to_string()),
            old_secret_until: endpoint.old_secret.as_ref().map(|(_, until)| until.to_string()),
            secret: None,
            recorded: None,
            resent: None,
        }
    }
}
