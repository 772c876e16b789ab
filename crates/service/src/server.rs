//! Starts and stops the service, whole or not at all.

use crate::{
    app::App,
    config::{Config, public_url_of},
    database::{Database, DatabaseLock, Opened},
    domain::{
        Mode,
        admission::AdmissionControl,
        change_notifier::ChangeNotifier,
        idempotency::InFlight,
        key_use::KeyUses,
        poll_schedule::PollSchedule,
        ports::{Clock, Operators, Store},
    },
    http,
    limits::{Limiter, Limits},
    metrics::{self, Metrics},
    net::{self, ConnectionLimits, Server, tls::Tls},
    operators::{
        self,
        sandbox::{Sandbox, script::Script},
    },
    readiness::Readiness,
    webhooks::sender::Sender,
    worker::{self, nodes::Neighbours},
};
use jiff::Timestamp;
use std::{net::SocketAddr, sync::Arc, time::Duration};
use tokio::{net::TcpListener, sync::mpsc, task::JoinHandle};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

/// How long a stop waits for what is in flight (docs/reference/command-line.md).
const GRACE: Duration = Duration::from_secs(10);

/// How many connections may read metrics at the same time.
const MAX_SCRAPER_CONNECTIONS: usize = 64;

/// A running service.
#[derive(Debug)]
pub struct Running {
    /// Its parts.
    pub app: Arc<App>,
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    server: JoinHandle<()>,
    /// Held as long as the service runs, so that a second one refuses the database file.
    _lock: Option<DatabaseLock>,
}

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
    start_around(config, clock, choose, |store| store).await
}

/// As [`start_with`], with something around the store, such as what makes it fail.
///
/// # Errors
/// As [`start`].
pub async fn start_around(
    config: Config,
    clock: Arc<dyn Clock>,
    choose: impl FnOnce(Operators) -> Operators,
    wrap: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>,
) -> Result<Running, String> {
    let tls = config.tls.clone().map(Tls::load).transpose()?;
    let lock = config.database.lock()?;
    // Before a database is made. Nobody is answered before the end.
    let (listener, address) = listen("listen", &config.listen).await?;
    let metrics_listener = match &config.metrics_listen {
        Some(address) => Some(listen("metrics-listen", address).await?),
        None => None,
    };
    let metrics = Metrics::new(clock.now());
    if matches!(config.database, Database::Postgres(_)) {
        // Before a table is made.
        config.load_server_key()?;
    }
    let Opened { store, memory } = config.database.open(metrics.store.clone()).await?;
    let server_key = config.load_server_key()?;
    let instance = Uuid::new_v4().to_string();
    let neighbours = Neighbours::greet(store.as_ref(), &instance, &server_key).await?;
    refuse_lifted_limits(&config, store.as_ref(), clock.now()).await?;

    let (callbacks, called_back) = mpsc::unbounded_channel();
    let sandbox = Arc::new(Sandbox {
        memory,
        clock: clock.clone(),
        script: Script { speed: config.sandbox_speed, phone: config.sandbox_phone },
        callbacks,
        changes: Arc::default(),
    });
    let (changes, changed_ids) = ChangeNotifier::new();
    let public_url = config.public_url.clone().unwrap_or_else(|| public_url_of(address, tls.is_some()));
    let app = Arc::new(App {
        store: wrap(store),
        key_uses: KeyUses::default(),
        admission: AdmissionControl::new(metrics.requests_shed.clone()),
        metrics,
        readiness: Readiness::new(clock.now()),
        payment_limits: config.limits.of_payments(),
        limiter: Limiter::new(config.limits, &clock),
        body_timeout: config.connection_limits.body_timeout,
        clock,
        operators: choose(operators::live().with_test(sandbox.clone())),
        simulated_phone: config.sandbox_phone.then_some(sandbox),
        changes,
        server_key,
        instance,
        attending: InFlight::default(),
        webhooks: Sender::new(&public_url, config.allow_private_webhooks)?,
        public_url,
        poll_schedule: PollSchedule { sandbox_speed: config.sandbox_speed },
        tasks: TaskTracker::new(),
        stopping: CancellationToken::new(),
    });
    worker::start(&app, called_back);
    if let Some(neighbours) = neighbours {
        neighbours.attend(&app, changed_ids);
    }
    if let Some(tls) = tls.clone() {
        app.tasks.spawn(tls.watch_files(app.clock.clone(), app.stopping.clone()));
    }
    let http_server = Server {
        limits: config.connection_limits,
        tls,
        trusted_proxies: config.trusted_proxies.into(),
        service: http::service(app.clone()),
    };
    let metrics_address = metrics_listener.as_ref().map(|(_, address)| *address);
    if let Some((listener, _)) = metrics_listener {
        let http_server = Server {
            limits: ConnectionLimits { max_connections: MAX_SCRAPER_CONNECTIONS, ..config.connection_limits },
            tls: None,
            trusted_proxies: Arc::new([]),
            service: metrics::router(app.clone()),
        };
        tokio::spawn(net::serve(listener, http_server, app.stopping.clone()));
    }
    let server = tokio::spawn(net::serve(listener, http_server, app.stopping.clone()));
    Ok(Running { app, address, metrics_address, server, _lock: lock })
}

impl Running {
    /// The address that it listens on.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The address that it serves metrics on.
    #[must_use]
    pub const fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Stops accepting, answers parked polls, finishes what is in flight, ten seconds at the most.
    /// What is still undecided then is on disk and goes on after the next start.
    pub async fn stop(self) {
        self.app.stopping.cancel();
        self.app.tasks.close();
        let finish = async {
            let _ = self.server.await;
            self.app.tasks.wait().await;
        };
        if tokio::time::timeout(GRACE, finish).await.is_err() {
            tracing::warn!("stopped with work in flight; it goes on after the next start");
        }
    }
}

/// Listens on an address of this setting, and says which one that is.
async fn listen(setting: &str, address: &str) -> Result<(TcpListener, SocketAddr), String> {
    let listener = net::listen(address)
        .await
        .map_err(|error| format!("{setting} {address}: {error}; choose another address with --{setting}"))?;
    let bound = listener.local_addr().map_err(|error| format!("{setting} {address}: {error}"))?;
    Ok((listener, bound))
}

async fn refuse_lifted_limits(config: &Config, store: &dyn Store, now: Timestamp) -> Result<(), String> {
    if config.limits != Limits::Off {
        return Ok(());
    }
    let keys = store.keys(None).await.map_err(|error| error.to_string())?;
    let live = keys.iter().find(|key| key.scope.mode == Mode::Live && key.is_valid(now));
    live.map_or(Ok(()), |key| Err(format!("limits: off is refused while a live key exists ({})", key.id)))
}
