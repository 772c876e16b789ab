//! `tua webhook`: manages endpoints and deliveries.

mod deliveries;
mod endpoints;
mod errors;
mod ping;
mod resend;

use super::{
    arguments::{parse_day, parse_mode, parse_overlap},
    context::Common,
    use_cases::UseCases,
};
use crate::cli::fault::Fault;
use clap::Subcommand;
use jiff::{SignedDuration, civil::Date};
use std::process::ExitCode;
use tua_domain::{
    AccountId, DeliveryId, EndpointId, Mode, Scope,
    ports::{Clock, DeliveryFilter},
    webhook::delivery::DeliveryStatus,
};
use tua_system::clock::SystemClock;

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
    /// Send a ping to an endpoint, and wait for its outcome; exit code 1 if it is not accepted
    Ping {
        /// The endpoint's id, as listed
        id: String,
        /// Do not wait for the outcome
        #[arg(long)]
        no_wait: bool,
    },
    /// List deliveries, newest first
    Deliveries {
        /// Only deliveries to this endpoint
        #[arg(long)]
        endpoint: Option<String>,
        /// Only deliveries with this status: PENDING, HELD, DELIVERED or FAILED
        #[arg(long, value_parser = parse_status)]
        status: Option<DeliveryStatus>,
        /// The largest number of deliveries
        #[arg(
            long,
            default_value_t = 100,
            value_parser = clap::value_parser!(u32).range(1..=10_000)
        )]
        limit: u32,
        /// Show also what is sent
        #[arg(long)]
        payload: bool,
    },
    /// Send deliveries again that failed, or were recorded while the endpoint was disabled
    Resend {
        /// The endpoint's id, as listed
        id: String,
        /// Only events from this day on, in UTC, such as 2026-11-01
        #[arg(long, value_name = "DAY", value_parser = parse_day)]
        from: Option<Date>,
        /// Only events until this day, in UTC
        #[arg(long, value_name = "DAY", value_parser = parse_day)]
        to: Option<Date>,
    },
    /// Send a delivery again, also one that was delivered
    Replay {
        /// The delivery's id, as listed
        id: String,
    },
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        let use_cases = UseCases::open(&common).await?;
        let now = SystemClock.now();
        match self {
            Self::Add { account, mode, url, allow_private_webhooks } => {
                endpoints::add(
                    &use_cases,
                    &common,
                    Scope { account: AccountId::new(account), mode },
                    &url,
                    allow_private_webhooks,
                )
                .await
            }
            Self::List { account } => {
                endpoints::list(&use_cases, &common, account.map(AccountId::new)).await
            }
            Self::Remove { id } => {
                endpoints::remove(&use_cases, &common, EndpointId::new(id)).await
            }
            Self::Rotate { id, overlap } => {
                endpoints::rotate(&use_cases, &common, EndpointId::new(id), now + overlap).await
            }
            Self::Enable { id, resend } => {
                endpoints::enable(&use_cases, &common, EndpointId::new(id), resend).await
            }
            Self::Ping { id, no_wait } => {
                let id = EndpointId::new(id);
                return ping::ping(&use_cases, &common, &id, !no_wait).await;
            }
            Self::Deliveries { endpoint, status, limit, payload } => {
                let filter = DeliveryFilter {
                    endpoint: endpoint.map(EndpointId::new),
                    status,
                    limit,
                    ..DeliveryFilter::default()
                };
                deliveries::list(&use_cases, &common, filter, payload).await
            }
            Self::Resend { id, from, to } => {
                resend::resend(&use_cases, &common, EndpointId::new(id), from, to).await
            }
            Self::Replay { id } => {
                let id = DeliveryId::new(id);
                let by = use_cases.audit_context(&common).await?;
                let delivery = use_cases.deliveries.resend(&id, &by).await?;
                deliveries::queued(
                    &common,
                    &delivery.ok_or_else(|| {
                        Fault::not_found(format!(
                            "delivery: there is no delivery {id} to an endpoint that was not \
                             removed"
                        ))
                    })?,
                )
            }
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

fn parse_status(text: &str) -> Result<DeliveryStatus, String> {
    DeliveryStatus::parse(text)
        .ok_or_else(|| "it must be PENDING, HELD, DELIVERED or FAILED".to_owned())
}
