//! Starts and stops the service, whole or not at all.

mod running;

use crate::{
    acme::{Acme, Records, StoredChallenges},
    actor::audit_context,
    config::Config,
    database::Opened,
    domain::{
        admission::AdmissionControl,
        audit::Source,
        change_notifier::ChangeNotifier,
        enforcement::Enforcement,
        idempotency::InFlight,
        key_use::KeyUses,
        poll_schedule::PollSchedule,
        ports::{Clock, ExchangeRecorder, PaymentMetrics, Store},
        routing::{OperatorName, Operators},
        use_cases::{
            Authentication, Callbacks, Checkouts, Codes, CodesInFlight, Idempotency, Networks, Payments, Readiness,
            Settlement, Transactions, callbacks::callback_path,
        },
    },
    hosted::{self, HostedState},
    http::{self, BodyTimeout, CallbackState, HttpParts, HttpState, PhoneState, PublicUrl, RedirectState},
    key_file,
    limits::{AddressShares, Limiter, Limits, ShareLimit},
    metrics::{self, Metrics, Scraper},
    net::{
        self, ConnectionLimits, Server, UnnamedProxy,
        tls::{Challenges, Tls, TlsFiles, WatchedFiles},
    },
    operators::{
        connection::ConnectionParts,
        sandbox::{Sandbox, script::Script},
    },
    settings_audit,
    webhooks::sender::Sender,
    worker::{
        callbacks, exchanges, external_writes, lifted_limits,
        nodes::{self, Exchange},
        operators, prune,
        reconcile::Reconciliation,
        webhooks::WebhookWorker,
    },
};
use std::{future::Future, net::SocketAddr, sync::Arc};
use tokio::{net::TcpListener, sync::mpsc};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

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
    // Fails before anything is created. The files are loaded again below.
    config.tls.as_ref().map(TlsFiles::load).transpose()?;
    let lock = config.database.lock()?;
    // Binds before it creates a database. Connections are accepted at the end of the start.
    let (listener, address) = listen("listen", &config.listen).await?;
    let metrics_listener = match &config.metrics_listen {
        Some(address) => Some(listen("metrics-listen", address).await?),
        None => None,
    };
    let http_listener = match &config.http_listen {
        Some(address) => Some(listen("http-listen", address).await?),
        None => None,
    };
    let metrics = Metrics::new(clock.now());
    // Fails before it creates a table.
    config.require_server_key()?;
    let Opened { store, orders } = config.database.open(metrics.store.clone()).await?;
    let keys = config.open_key_ring(store.as_ref()).await?;
    let instance = Uuid::new_v4().to_string();
    let membership = nodes::join(store.as_ref(), &instance).await?;
    if config.limits == Limits::Off {
        lifted_limits::refuse_live_key(store.as_ref(), clock.now()).await?;
    }
    let by = audit_context(Source::Start, None, &keys, clock.now());
    settings_audit::record(&config, store.as_ref(), &by).await?;

    let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
    let (hints, called_back) = mpsc::unbounded_channel();
    let sandbox = Arc::new(Sandbox {
        orders,
        clock: clock.clone(),
        script: Script { speed: config.sandbox_speed, phone: config.sandbox_phone },
        callbacks: hints.clone(),
        changes: Arc::default(),
    });
    let (changes, changed_ids) = ChangeNotifier::new();
    let (store, changes, metrics) = (wrap(store), Arc::new(changes), Arc::new(metrics));
    let payment_metrics: Arc<dyn PaymentMetrics> = metrics.clone();
    let public_url = PublicUrl(config.public_url_at(address).into());
    let records = Records { store: store.clone(), keys: keys.clone() };
    let challenges = config.acme.is_some().then(|| Arc::new(StoredChallenges::new(records.clone())));
    let challenges = challenges.map(|challenges| challenges as Arc<dyn Challenges>);
    let tls = match config.is_tls() {
        true => {
            let metrics = metrics.clone();
            Some(Tls::new(challenges.clone(), move |expiry| metrics.certificate_expires(expiry))?)
        }
        false => None,
    };

    let (recorder, recorded) = exchanges::recorder();
    let recorder: Arc<dyn ExchangeRecorder> = Arc::new(recorder);
    let parts = ConnectionParts { clock: clock.clone(), recorder: recorder.clone() };
    let callback_url = |name: &OperatorName| format!("{}{}", public_url.0, callback_path(name, &keys));
    let connected = choose(config.operators.connect(&parts, callback_url)?.with_test(sandbox.clone()));
    let sender = Sender::new(&public_url.0, config.allow_private_webhooks)?;

    // The use cases.
    let schedule = PollSchedule { sandbox_speed: config.sandbox_speed };
    let enforcement = Enforcement::new(config.limits != Limits::Off);
    let limits = config.limits.of_payments(enforcement.clone());
    let admission = Arc::new(AdmissionControl::new(payment_metrics.clone()));
    let settlement = Arc::new(Settlement {
        store: store.clone(),
        operators: connected.clone(),
        clock: clock.clone(),
        changes: changes.clone(),
        metrics: payment_metrics,
    });
    let idempotency = Arc::new(Idempotency {
        store: store.clone(),
        clock: clock.clone(),
        keys: keys.clone(),
        instance: instance.clone(),
        in_flight: InFlight::default(),
        tasks: tasks.clone(),
    });
    let payments = Arc::new(Payments {
        settlement: settlement.clone(),
        idempotency: idempotency.clone(),
        admission: admission.clone(),
        limits: limits.clone(),
        schedule,
        tasks: tasks.clone(),
    });
    let codes = Arc::new(Codes {
        settlement: settlement.clone(),
        idempotency: idempotency.clone(),
        limits,
        in_flight: CodesInFlight::default(),
        tasks: tasks.clone(),
    });
    let networks = Networks { operators: connected.clone(), clock: clock.clone() };
    let operator_callbacks = Arc::new(Callbacks {
        operators: connected.clone(),
        keys: keys.clone(),
        store: store.clone(),
        clock: clock.clone(),
        hints,
        recorder,
    });
    let checkouts = Arc::new(Checkouts {
        idempotency: idempotency.clone(),
        admission: admission.clone(),
        changes: changes.clone(),
        networks: networks.clone(),
    });
    let readiness = Arc::new(Readiness::new(store.clone(), clock.clone(), stopping.clone()));

    // The workers.
    let until_stopped = |work: Work| {
        tasks.spawn(until(stopping.clone(), work));
    };
    let reconciliation = Arc::new(Reconciliation {
        settlement: settlement.clone(),
        schedule,
        readiness: readiness.clone(),
        tasks: tasks.clone(),
        stopping: stopping.clone(),
    });
    tasks.spawn(reconciliation.run());
    let webhooks = Arc::new(WebhookWorker {
        store: store.clone(),
        clock: clock.clone(),
        changes: changes.clone(),
        sender,
        keys: keys.clone(),
        metrics: metrics.clone(),
        readiness: readiness.clone(),
        tasks: tasks.clone(),
        stopping: stopping.clone(),
    });
    tasks.spawn(webhooks.run());
    if let Some(path) = config.key_file() {
        until_stopped(Box::pin(key_file::watch(path, keys, store.clone())));
    }
    until_stopped(Box::pin(prune::run(store.clone(), clock.clone(), metrics.clone())));
    if !enforcement.is_enforced() {
        until_stopped(Box::pin(lifted_limits::run(store.clone(), clock.clone(), enforcement.clone())));
    }
    until_stopped(Box::pin(operators::run(connected, clock.clone(), tasks.clone())));
    tasks.spawn(exchanges::run(store.clone(), recorded, stopping.clone()));
    until_stopped(Box::pin(callbacks::run(settlement.clone(), tasks.clone(), called_back)));
    match membership {
        Some(membership) => {
            let exchange = Arc::new(Exchange { store: store.clone(), changes: changes.clone(), instance });
            until_stopped(Box::pin(exchange.clone().publish(changed_ids)));
            until_stopped(Box::pin(exchange.clone().receive(membership)));
            until_stopped(Box::pin(exchange.poll()));
        }
        // Only a database file is written to by the command line without a notice.
        None => until_stopped(Box::pin(external_writes::run(store.clone(), changes.clone()))),
    }
    if let (Some(files), Some(tls)) = (config.tls.clone(), &tls) {
        let files = WatchedFiles::load(files, tls.clone())?;
        tasks.spawn(files.watch(clock.clone(), stopping.clone()));
    }

    // The listeners.
    let limiter = Arc::new(Limiter::new(config.limits, enforcement.clone(), &clock));
    let body_timeout = BodyTimeout(config.connection_limits.body_timeout);
    let hosted = hosted::router(HostedState {
        checkouts: checkouts.clone(),
        payments: payments.clone(),
        codes: codes.clone(),
        limiter: limiter.clone(),
        body_timeout,
        clock: clock.clone(),
    });
    let phone = config.sandbox_phone.then(|| PhoneState {
        sandbox,
        clock: clock.clone(),
        stopping: stopping.clone(),
        body_timeout,
        public_url: public_url.clone(),
    });
    let state = HttpState {
        authentication: Arc::new(Authentication {
            store: store.clone(),
            clock: clock.clone(),
            key_uses: KeyUses::default(),
        }),
        limiter,
        payments,
        codes,
        checkouts,
        transactions: Arc::new(Transactions {
            store: store.clone(),
            clock: clock.clone(),
            changes,
            stopping: stopping.clone(),
        }),
        networks,
        polls: Arc::new(AddressShares::new(config.limits.of_polls(enforcement.clone()))),
        readiness: readiness.clone(),
        body_timeout,
        public_url: public_url.clone(),
    };
    let callbacks = CallbackState {
        callbacks: operator_callbacks,
        metrics: metrics.clone(),
        body_timeout,
        public_url: public_url.clone(),
    };
    let parts =
        HttpParts { state, metrics: metrics.clone(), admission, clock: clock.clone(), phone, hosted, callbacks };
    let http_server = Server {
        limits: config.connection_limits,
        tls: tls.clone(),
        trusted_proxies: config.trusted_proxies.into(),
        share: config.limits.of_connections(enforcement.clone()),
        unnamed_proxy: UnnamedProxy::default(),
        service: http::service(parts),
    };
    let http_address = http_listener.as_ref().map(|(_, address)| *address);
    if let Some((listener, _)) = http_listener {
        let redirect_server = Server {
            limits: config.connection_limits,
            tls: None,
            trusted_proxies: Arc::new([]),
            share: config.limits.of_connections(enforcement.clone()),
            unnamed_proxy: UnnamedProxy::default(),
            service: http::redirect_router(RedirectState { public_url: public_url.clone(), challenges }),
        };
        tokio::spawn(net::serve(listener, redirect_server, stopping.clone()));
    }
    if let (Some(settings), Some(tls)) = (config.acme, tls.clone()) {
        let acme = Acme { settings, records, tls, clock: clock.clone(), metrics: metrics.clone() };
        tasks.spawn(acme.run(stopping.clone()));
    }
    let metrics_address = metrics_listener.as_ref().map(|(_, address)| *address);
    if let Some((listener, _)) = metrics_listener {
        let scraper = Scraper { metrics, store: store.clone(), clock: clock.clone() };
        let metrics_server = Server {
            limits: ConnectionLimits { max_connections: MAX_SCRAPER_CONNECTIONS, ..config.connection_limits },
            tls: None,
            trusted_proxies: Arc::new([]),
            share: ShareLimit { per_address: MAX_SCRAPER_CONNECTIONS, enforcement: Enforcement::new(false) },
            unnamed_proxy: UnnamedProxy::default(),
            service: metrics::router(scraper),
        };
        tokio::spawn(net::serve(listener, metrics_server, stopping.clone()));
    }
    let server = tokio::spawn(net::serve(listener, http_server, stopping.clone()));
    Ok(Running {
        store,
        clock,
        readiness,
        settlement,
        idempotency,
        tasks,
        stopping,
        public_url,
        address,
        metrics_address,
        http_address,
        server,
        _lock: lock,
    })
}

/// A worker that runs until the service stops.
type Work = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

async fn until(stopping: CancellationToken, work: Work) {
    tokio::select! {
        () = work => {}
        () = stopping.cancelled() => {}
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
