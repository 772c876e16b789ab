//! `tua webhook`: manages endpoints and deliveries.

use super::{
    arguments::{parse_mode, parse_overlap},
    context::{Common, audit_context, key_ring, open_existing},
    output,
    webhook_resend::resend,
};
use clap::Subcommand;
use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::Serialize;
use tua_domain::{
    AccountId, DeliveryId, EndpointId, Mode, Scope,
    ports::{ChangedEndpoint, Clock, DeliveryFilter, EndpointChange, Store, StoreError},
    webhook::{Delivery, Endpoint, delivery::DeliveryStatus, endpoint::new_secret},
};
use tua_system::clock::SystemClock;
use tua_webhooks::endpoint_url::parse_url;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Add an endpoint and show its secret once
    Add {
        /// The account whose events it receives
        #[arg(long, env = "TUA_ACCOUNT")]
        account: String,
        /// The mode: test or live
        #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
        mode: Mode,
        /// The URL that events are sent to: https://…, in test mode also http://…
        #[arg(long)]
        url: String,
        /// Allow a private address in live mode; `tua serve` needs the same flag
        #[arg(long, env = "TUA_ALLOW_PRIVATE_WEBHOOKS")]
        allow_private_webhooks: bool,
    },
    /// List endpoints of all accounts, or of one
    List {
        /// Only the endpoints of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
    },
    /// Remove an endpoint; its deliveries can still be listed
    Remove {
        /// The endpoint's id, as listed
        id: String,
    },
    /// Create a new secret; the old secret also signs until the overlap ends
    Rotate {
        /// The endpoint's id, as listed
        id: String,
        /// How long the old secret signs too, such as 24h or 90m; 0 ends it at once
        #[arg(long, default_value = "24h", value_parser = parse_overlap)]
        overlap: SignedDuration,
    },
    /// Enable an endpoint that was disabled by a 410
    Enable {
        /// The endpoint's id, as listed
        id: String,
        /// Send also the events that were recorded while it was disabled
        #[arg(long)]
        resend: bool,
    },
    /// Send a ping to an endpoint
    Ping {
        /// The endpoint's id, as listed
        id: String,
    },
    /// List deliveries, newest first
    Deliveries {
        /// Only deliveries to this endpoint
        #[arg(long)]
        endpoint: Option<String>,
        /// Only deliveries with this status: PENDING, DELIVERED or FAILED
        #[arg(long, value_parser = parse_status)]
        status: Option<DeliveryStatus>,
        /// The largest number of deliveries
        #[arg(
            long,
            default_value_t = 100,
            value_parser = clap::value_parser!(u32).range(1..=10_000)
        )]
        limit: u32,
    },
    /// Send the failed deliveries of an endpoint again, those of all days or of a period
    Resend {
        /// The endpoint's id, as listed
        id: String,
        /// Only events from this day on, in UTC, such as 2026-11-01
        #[arg(long, value_name = "DAY")]
        from: Option<Date>,
        /// Only events until this day, in UTC
        #[arg(long, value_name = "DAY")]
        to: Option<Date>,
    },
    /// Send a delivery again, also one that was delivered
    Replay {
        /// The delivery's id, as listed
        id: String,
    },
}

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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeliveryRow<'a> {
    delivery_id: &'a str,
    endpoint_id: &'a str,
    webhook_id: &'a str,
    r#type: &'static str,
    status: &'static str,
    attempts: u32,
    occurred_at: String,
    next_attempt_at: Option<String>,
    last_attempt_at: Option<String>,
    http_status: Option<u16>,
    fault: Option<&'a str>,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        let store = open_existing(&common).await?;
        let store = store.as_ref();
        let now = SystemClock.now();
        match self {
            Self::Add { account, mode, url, allow_private_webhooks } => {
                add(
                    store,
                    &common,
                    Scope { account: AccountId::new(account), mode },
                    &url,
                    allow_private_webhooks,
                )
                .await
            }
            Self::List { account } => list(store, &common, account.map(AccountId::new)).await,
            Self::Remove { id } => remove(store, &common, EndpointId::new(id)).await,
            Self::Rotate { id, overlap } => {
                rotate(store, &common, EndpointId::new(id), now + overlap).await
            }
            Self::Enable { id, resend } => {
                enable(store, &common, EndpointId::new(id), resend).await
            }
            Self::Ping { id } => {
                let id = EndpointId::new(id);
                let ping = store.ping_endpoint(&id, now).await.map_err(to_line)?;
                queued(&common, &ping.ok_or_else(|| no_endpoint(&id))?)
            }
            Self::Deliveries { endpoint, status, limit } => {
                let filter = DeliveryFilter {
                    endpoint: endpoint.map(EndpointId::new),
                    status,
                    limit,
                    ..DeliveryFilter::default()
                };
                deliveries(store, &common, filter).await
            }
            Self::Resend { id, from, to } => {
                resend(store, &common, EndpointId::new(id), from, to).await
            }
            Self::Replay { id } => {
                let id = DeliveryId::new(id);
                let by = audit_context(&common, store).await?;
                let delivery = store.replay_delivery(&id, &by).await.map_err(to_line)?;
                queued(
                    &common,
                    &delivery.ok_or_else(|| {
                        format!(
                            "delivery: there is no delivery {id} to an endpoint that was not \
                             removed"
                        )
                    })?,
                )
            }
        }
    }
}

async fn add(
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

async fn rotate(
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

async fn enable(
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

async fn remove(store: &dyn Store, common: &Common, id: EndpointId) -> Result<(), String> {
    let endpoint = store.endpoint(&id).await.map_err(to_line)?.ok_or_else(|| no_endpoint(&id))?;
    if !store.remove_endpoint(&id, &audit_context(common, store).await?).await.map_err(to_line)? {
        return Err(no_endpoint(&id));
    }
    let text = format!(
        "{id} is removed. Its deliveries can still be listed; those that were pending have failed."
    );
    output::print(common, &EndpointRow::new(&endpoint), &text)
}

async fn list(
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

async fn deliveries(
    store: &dyn Store,
    common: &Common,
    filter: DeliveryFilter,
) -> Result<(), String> {
    if let Some(id) = &filter.endpoint
        && store.endpoint(id).await.map_err(to_line)?.is_none()
    {
        return Err(no_endpoint(id));
    }
    let deliveries = store.deliveries(filter).await.map_err(to_line)?;
    let rows: Vec<DeliveryRow<'_>> = deliveries.iter().map(DeliveryRow::new).collect();
    let line = |row: &DeliveryRow<'_>| {
        let fault = row.fault.map_or_else(String::new, |fault| format!("  {fault}"));
        let next =
            row.next_attempt_at.as_ref().map_or_else(String::new, |at| format!("  next {at}"));
        let id = row.delivery_id;
        let at = &row.occurred_at;
        let kind = row.r#type;
        let status = row.status;
        format!("{id}  {at}  {kind}  {status}  attempts {}{fault}{next}", row.attempts)
    };
    output::print_list(common, &rows, line, "There are no deliveries.")
}

fn queued(common: &Common, delivery: &Delivery) -> Result<(), String> {
    let text = format!("{} is sent by the running service within a second.", delivery.id);
    output::print(common, &DeliveryRow::new(delivery), &text)
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

impl<'a> DeliveryRow<'a> {
    fn new(delivery: &'a Delivery) -> Self {
        let last = delivery.last.as_ref();
        Self {
            delivery_id: delivery.id.as_str(),
            endpoint_id: delivery.endpoint.as_str(),
            webhook_id: &delivery.webhook_id,
            r#type: delivery.event_type.as_str(),
            status: delivery.status.as_str(),
            attempts: delivery.attempts,
            occurred_at: delivery.occurred_at.to_string(),
            next_attempt_at: delivery.due_at.map(|at| at.to_string()),
            last_attempt_at: last.map(|last| last.at.to_string()),
            http_status: last.and_then(|last| last.http_status),
            fault: last.and_then(|last| last.fault.as_deref()),
        }
    }
}

pub(super) fn no_endpoint(id: &EndpointId) -> String {
    format!("endpoint: there is no endpoint {id}")
}

pub(super) fn to_line(error: StoreError) -> String {
    error.to_string()
}

fn parse_status(text: &str) -> Result<DeliveryStatus, String> {
    DeliveryStatus::parse(text).ok_or_else(|| "it must be PENDING, DELIVERED or FAILED".to_owned())
}
