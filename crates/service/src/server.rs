//! Starts and stops the service, whole or not at all.

mod dashboard_listener;
mod http_parts;
mod listeners;
mod running;
mod shared;
mod use_cases;
mod workers;

use crate::connected_operators::operator_connections;
use axum::middleware::from_fn_with_state;
use http_parts::http_parts;
use jiff::Timestamp;
use listeners::Listeners;
use shared::Shared;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::error;
use tua_config::{Config, DashboardPlace, settings_audit};
use tua_domain::{
    audit::Source,
    change_notifier::ChangeNotifier,
    enforcement::Enforcement,
    poll_schedule::PollSchedule,
    ports::{Clock, ExchangeRecorder, Mailer},
    routing::{OperatorName, Operators},
    simulated_phone::SimulatedPhone,
    test_log::TestLog,
};
use tua_mail::smtp::SmtpMailer;
use tua_metrics::{Metrics, Scraper, StoreMetrics};
use tua_net::{
    self, ConnectionLimits, ProxyDetector, Server,
    acme::{Acme, Records, StoredChallenges},
    limits::{ConcurrencyLimit, Limiter, Limits},
    tls::{Challenges, Tls, TlsFiles, WatchedFiles},
};
use tua_operators::{connection::ConnectionParts, sandbox::Sandbox};
use tua_store::database::{Database, Opened};
use tua_system::actor::audit_context;
use tua_use_cases::{ApiKeys, MailOutbox, OperatorChecks, callbacks::callback_path};
use tua_web::{
    documentation,
    http::{self, RedirectState},
};
use tua_webhooks::sender::Sender;
use tua_worker::{exchanges, nodes, test_settings::TestSettings};
use use_cases::UseCases;
use uuid::Uuid;
use workers::{Inboxes, Senders};

pub use running::Running;

/// How many connections may read metrics at the same time.
const MAX_SCRAPER_CONNECTIONS: usize = 64;

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
    let (listener, address) = listeners.service;
    let public_url = config.public_url_at(address)?;
    let mailer =
        config.mail.as_ref().map(|settings| SmtpMailer::new(settings, &public_url)).transpose()?;
    let mailer = mailer.map(|mailer| Arc::new(mailer) as Arc<dyn Mailer>);
    let metrics = Metrics::new(clock.now());
    // Fails before it creates a table.
    config.require_server_key()?;
    let Opened { store, orders } = open(&config.database, metrics.store.clone()).await?;
    let keys = config.open_key_ring(store.as_ref()).await?;
    let instance = Uuid::new_v4().to_string();
    let subscription = nodes::join(store.as_ref(), &instance).await?;
    let test_settings = TestSettings {
        enforcement: Enforcement::new(config.limits != Limits::Off),
        phone: SimulatedPhone::new(config.sandbox_phone),
    };
    let api_keys = ApiKeys {
        accounts: store.clone(),
        audit_log: store.clone(),
        connected_operators: store.clone(),
    };
    test_settings.refuse_live_key(&api_keys, clock.now()).await?;
    let mail_outbox = MailOutbox { outbox: store.clone() };
    mail_outbox.turn(mailer.is_some()).await.map_err(|error| error.to_string())?;
    let by = audit_context(Source::Start, None, &keys, clock.now());
    settings_audit::record(&config, store.as_ref(), &by).await?;

    check_accounts(&config, &api_keys, clock.now()).await?;

    let (hints, called_back) = mpsc::unbounded_channel();
    let sandbox = Arc::new(Sandbox {
        orders,
        clock: clock.clone(),
        speed: config.sandbox_speed,
        phone: test_settings.phone.clone(),
        callbacks: hints.clone(),
        changes: Arc::default(),
    });
    let (changes, messages) = ChangeNotifier::new();
    let (recorder, exchanges) = exchanges::recorder();
    let recorder: Arc<dyn ExchangeRecorder> = Arc::new(recorder);
    let parts = ConnectionParts { clock: clock.clone(), recorder };
    let callback_url =
        |name: &OperatorName| format!("{public_url}{}", callback_path(name.as_str(), &keys));
    let operators = config.operators.connect(&parts, callback_url)?.with_test(sandbox.clone());
    let operators = choose(operators.with_sandbox_tariffs(config.sandbox_tariffs.clone()));
    let changes = Arc::new(changes);
    let checks = OperatorChecks { clock: clock.clone(), changes: changes.clone() };
    let connected = (&operators, checks);
    let connections =
        operator_connections(&config, parts, &public_url, &keys, store.clone(), connected);
    // Before anything is sent or asked. The worker tries again, and until then payments of these
    // operators wait.
    if let Err(error) = connections.load().await {
        error!(%error, "connected operators could not be loaded; trying again");
    }
    let stopping = CancellationToken::new();
    let shared = Shared {
        test_log: Arc::new(TestLog::new(clock.clone(), stopping.clone())),
        store,
        clock,
        keys,
        instance,
        operators: operators.clone(),
        connections,
        changes,
        metrics: Arc::new(metrics),
        enforcement: test_settings.enforcement.clone(),
        test_settings,
        schedule: PollSchedule { sandbox_speed: config.sandbox_speed },
        public_url,
        mailer,
        workers: TaskTracker::new(),
        tasks: TaskTracker::new(),
        stopping,
    };
    let sender = Sender::new(&shared.public_url, config.allow_private_webhooks)?;
    let use_cases = UseCases::new(&shared, &config, hints, Arc::new(sender.clone()));
    use_cases.sandbox_clock.load().await.map_err(|error| error.to_string())?;
    let inboxes = Inboxes { hints: called_back, exchanges, messages, subscription };
    let limiter = Arc::new(Limiter::new(config.limits, shared.enforcement.clone(), &shared.clock));
    let mut parts = http_parts(&shared, &use_cases, &config, sandbox, limiter.clone());
    let dashboard_address = listeners.dashboard.as_ref().map(|(_, address)| *address);
    let (dashboard_url, dashboard) =
        dashboard_listener::router(&shared, &use_cases, &config, dashboard_address)?;
    let dashboard = dashboard.layer(from_fn_with_state(limiter.clone(), http::count_page));
    let evidence = workers::start(
        &shared,
        &use_cases,
        Senders { webhooks: sender, dashboard_url: dashboard_url.clone() },
        config.key_file(),
        inboxes,
    );
    let own_dashboard = listeners.dashboard.map(|(listener, _)| {
        let metrics = shared.metrics.clone();
        (listener, http::dashboard_service(dashboard.clone(), metrics, dashboard_url.clone()))
    });
    let sign_in = (config.dashboard != DashboardPlace::Off).then(|| dashboard_url.to_string());
    parts.hosted =
        parts.hosted.merge(documentation::router(&shared.public_url, sign_in, limiter.clone()));
    if config.dashboard == DashboardPlace::OnService {
        parts.hosted = parts.hosted.merge(dashboard);
    }

    // The listeners.
    let Shared {
        store,
        clock,
        keys,
        metrics,
        enforcement,
        public_url,
        workers,
        tasks,
        stopping,
        ..
    } = shared;
    let records = Records { store: store.clone(), keys };
    let challenges =
        config.acme.is_some().then(|| Arc::new(StoredChallenges::new(records.clone())));
    let challenges = challenges.map(|challenges| challenges as Arc<dyn Challenges>);
    let tls = if config.is_tls() {
        let metrics = metrics.clone();
        Some(Tls::new(challenges.clone(), move |expiry| metrics.certificate_expires(expiry))?)
    } else {
        None
    };
    if let (Some(files), Some(tls)) = (config.tls.clone(), &tls) {
        let files = WatchedFiles::load(files, tls.clone())?;
        workers.spawn(files.watch(clock.clone(), stopping.clone()));
    }
    let trusted_proxies: Arc<[_]> = config.trusted_proxies.into();
    let http_server = Server {
        limits: config.connection_limits,
        tls: tls.clone(),
        trusted_proxies: trusted_proxies.clone(),
        per_address: config.limits.of_connections(enforcement.clone()),
        proxy_detector: ProxyDetector::default(),
        service: http::service(parts),
    };
    if let Some((listener, service)) = own_dashboard {
        let dashboard_server = Server {
            limits: config.connection_limits,
            tls: tls.clone(),
            trusted_proxies,
            per_address: config.limits.of_connections(enforcement.clone()),
            proxy_detector: ProxyDetector::default(),
            service,
        };
        tokio::spawn(tua_net::serve(listener, dashboard_server, stopping.clone()));
    }
    let http_address = listeners.redirect.as_ref().map(|(_, address)| *address);
    if let Some((listener, _)) = listeners.redirect {
        let redirect_server = Server {
            limits: config.connection_limits,
            tls: None,
            trusted_proxies: Arc::new([]),
            per_address: config.limits.of_connections(enforcement.clone()),
            proxy_detector: ProxyDetector::default(),
            service: http::redirect_router(RedirectState {
                public_url: public_url.clone(),
                challenges,
                metrics: metrics.clone(),
            }),
        };
        tokio::spawn(tua_net::serve(listener, redirect_server, stopping.clone()));
    }
    if let (Some(settings), Some(tls)) = (config.acme, tls.clone()) {
        let acme = Acme { settings, records, tls, clock: clock.clone(), metrics: metrics.clone() };
        workers.spawn(acme.run(stopping.clone()));
    }
    let metrics_address = listeners.metrics.as_ref().map(|(_, address)| *address);
    if let Some((listener, _)) = listeners.metrics {
        let scraper = Scraper {
            metrics,
            store: store.clone(),
            clock: clock.clone(),
            operators: operators.clone(),
        };
        let metrics_server = Server {
            limits: ConnectionLimits {
                max_connections: MAX_SCRAPER_CONNECTIONS,
                ..config.connection_limits
            },
            tls: None,
            trusted_proxies: Arc::new([]),
            per_address: ConcurrencyLimit::new(MAX_SCRAPER_CONNECTIONS, Enforcement::new(false)),
            proxy_detector: ProxyDetector::default(),
            service: tua_metrics::router(scraper),
        };
        tokio::spawn(tua_net::serve(listener, metrics_server, stopping.clone()));
    }
    let server = tokio::spawn(tua_net::serve(listener, http_server, stopping.clone()));
    if let Some(lock) = &mut lock {
        lock.keep_file();
    }
    Ok(Running {
        store,
        clock,
        readiness: use_cases.readiness,
        members: use_cases.members,
        gateway: use_cases.gateway,
        accounts: use_cases.accounts,
        api_keys: use_cases.api_keys,
        enrolments: use_cases.enrolments,
        idempotency: use_cases.idempotency,
        workers,
        tasks,
        stopping,
        public_url,
        dashboard_url: (config.dashboard != DashboardPlace::Off).then_some(dashboard_url),
        address,
        metrics_address,
        http_address,
        server,
        evidence,
        _lock: lock,
    })
}

/// Operators of live mode may serve several merchants only as the settings say.
async fn check_accounts(config: &Config, keys: &ApiKeys, now: Timestamp) -> Result<(), String> {
    let accounts = keys.live_accounts(now).await.map_err(|error| error.to_string())?;
    let faults = config.operators.check_accounts(&accounts);
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
}
