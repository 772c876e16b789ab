//! Starts and stops the service, whole or not at all.

mod accept;
mod base;
mod dashboard_listener;
mod http_parts;
mod listeners;
mod operators;
mod routers;
mod running;
mod shared;
mod use_cases;
mod workers;

use accept::{Acceptor, Encryption};
use base::OpenedBase;
use listeners::Listeners;
use routers::Routers;
use shared::Shared;
use std::sync::Arc;
use tua_config::{Config, DashboardPlace};
use tua_domain::{ports::Clock, routing::Operators};
use tua_metrics::StoreMetrics;
use tua_net::{limits::Limiter, tls::TlsFiles};
use tua_store::database::{Database, Opened};
use tua_webhooks::sender::Sender;
use use_cases::UseCases;
use workers::{Inboxes, Senders};

pub use running::Running;

/// Starts the service with the sandbox behind test mode.
///
/// # Errors
/// One line that says what is wrong and where; then nothing was started.
pub async fn start(config: Config, clock: Arc<dyn Clock>) -> Result<Running, String> {
    start_with(config, clock, |operators| operators).await
}

/// As [`start`], with other operators than the usual ones.
///
/// # Errors
/// As [`start`].
pub async fn start_with(
    config: Config,
    clock: Arc<dyn Clock>,
    choose: impl FnOnce(Operators) -> Operators,
) -> Result<Running, String> {
    let open = async |database: &Database, metrics| Ok(database.open(metrics).await?);
    start_around(config, clock, choose, open).await
}

/// As [`start_with`], with another way to open the database, such as one with injected faults.
///
/// # Errors
/// As [`start`].
pub async fn start_around(
    config: Config,
    clock: Arc<dyn Clock>,
    choose: impl FnOnce(Operators) -> Operators,
    open: impl AsyncFnOnce(&Database, StoreMetrics) -> Result<Opened, String>,
) -> Result<Running, String> {
    // Fails before anything is created. The files are loaded again below.
    config.tls.as_ref().map(TlsFiles::load).transpose()?;
    let mut lock = config.database.lock()?;
    // Binds before it creates a database. Connections are accepted at the end of the start.
    let listeners = Listeners::bind(&config).await?;
    let (_, address) = listeners.service;
    let OpenedBase { base, database, subscription } =
        base::open(&config, clock, address, open).await?;
    let connected = operators::connect(&config, &base, database.orders, choose).await?;
    let shared = Shared::new(
        base,
        connected.operators,
        connected.connections,
        connected.changes,
        config.sandbox_speed,
    );
    let sender = Sender::new(&shared.public_url, config.allow_private_webhooks)?;
    let use_cases = UseCases::new(&shared, &config, connected.hints, Arc::new(sender.clone()));
    use_cases.sandbox_clock.load().await.map_err(|error| error.to_string())?;
    let limiter = Limiter::new(config.limits, shared.enforcement.clone(), &shared.clock);
    let routers = Routers::new(
        &config,
        &shared,
        &use_cases,
        connected.sandbox,
        Arc::new(limiter),
        &listeners,
    )?;
    let encryption = Encryption::start(&config, &shared)?;
    let inboxes = Inboxes {
        hints: connected.received_hints,
        exchanges: connected.exchanges,
        messages: connected.messages,
        subscription,
    };
    let senders = Senders { webhooks: sender, dashboard_url: routers.dashboard_url.clone() };
    let evidence = workers::start(&shared, &use_cases, senders, config.key_file(), inboxes);
    let dashboard_url = routers.dashboard_url.clone();
    let accepted = Acceptor::new(&config, &shared, encryption).accept(listeners, routers);
    if let Some(lock) = &mut lock {
        lock.keep_file();
    }
    Ok(Running {
        store: shared.store,
        clock: shared.clock,
        readiness: use_cases.readiness,
        members: use_cases.members,
        gateway: use_cases.gateway,
        status_queries: use_cases.status_queries,
        payouts: use_cases.payouts,
        accounts: use_cases.accounts,
        api_keys: use_cases.api_keys,
        enrolments: use_cases.enrolments,
        idempotency: use_cases.idempotency,
        workers: shared.workers,
        tasks: shared.tasks,
        stopping: shared.stopping,
        public_url: shared.public_url,
        dashboard_url: (config.dashboard != DashboardPlace::Off).then_some(dashboard_url),
        address,
        metrics_address: accepted.metrics_address,
        http_address: accepted.http_address,
        server: accepted.server,
        evidence,
        _lock: lock,
    })
}
