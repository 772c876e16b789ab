//! Adds, lists, changes and removes the endpoints of merchants' servers.

use super::errors::no_endpoint;
use crate::cli::{
    arguments::require_account, context::Common, fault::Fault, output, use_cases::UseCases,
};
use jiff::Timestamp;
use serde::Serialize;
use tua_domain::{AccountId, EndpointId, Scope, ports::ChangedEndpoint, webhook::Endpoint};
use tua_use_cases::EndpointWithSecret;
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
    use_cases: &UseCases,
    common: &Common,
    scope: Scope,
    url: &str,
    allow_private_webhooks: bool,
) -> Result<(), Fault> {
    let url = parse_url(url, scope.mode, allow_private_webhooks)
        .map_err(|fault| format!("url: {fault}"))?;
    require_account(&use_cases.accounts, &scope.account).await?;
    let keys = use_cases.key_ring(common).await?;
    let by = use_cases.audit_context(common).await?;
    let added = use_cases.webhook_endpoints.add(scope, &url, &keys.current(), &by).await;
    shown_once(common, &added?)
}

pub(super) async fn rotate(
    use_cases: &UseCases,
    common: &Common,
    id: EndpointId,
    until: Timestamp,
) -> Result<(), Fault> {
    let keys = use_cases.key_ring(common).await?;
    let by = use_cases.audit_context(common).await?;
    let rotated = use_cases.webhook_endpoints.rotate_secret(&id, until, &keys.current(), &by).await;
    shown_once(common, &rotated?.ok_or_else(|| no_endpoint(&id))?)
}

fn shown_once(
    common: &Common,
    EndpointWithSecret { endpoint, secret }: &EndpointWithSecret,
) -> Result<(), Fault> {
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
    use_cases: &UseCases,
    common: &Common,
    id: EndpointId,
    resend: bool,
) -> Result<(), Fault> {
    let by = use_cases.audit_context(common).await?;
    let changed = use_cases.webhook_endpoints.enable(&id, resend, &by).await?;
    let ChangedEndpoint { endpoint, recorded_deliveries: recorded } =
        changed.ok_or_else(|| no_endpoint(&id))?;
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
    use_cases: &UseCases,
    common: &Common,
    id: EndpointId,
) -> Result<(), Fault> {
    let endpoints = &use_cases.webhook_endpoints;
    let endpoint = endpoints.find(None, &id).await?;
    let endpoint = endpoint.ok_or_else(|| no_endpoint(&id))?;
    let by = use_cases.audit_context(common).await?;
    if !endpoints.remove(&id, &by).await? {
        return Err(no_endpoint(&id));
    }
    let text = format!(
        "{id} is removed. Its deliveries can still be listed; those that were pending have failed."
    );
    output::print(common, &EndpointRow::new(&endpoint), &text)
}

pub(super) async fn list(
    use_cases: &UseCases,
    common: &Common,
    account: Option<AccountId>,
) -> Result<(), Fault> {
    let endpoints = use_cases.webhook_endpoints.list(account.as_ref()).await;
    let endpoints = endpoints?;
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
            created_at: output::time(endpoint.created_at),
            disabled_at: endpoint.disabled_at.map(output::time),
            old_secret_until: endpoint.old_secret.as_ref().map(|(_, until)| output::time(*until)),
            secret: None,
            recorded: None,
            resent: None,
        }
    }
}
