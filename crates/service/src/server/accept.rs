//! Accepts connections: one server for each listener.

use super::{
    listeners::{Listener, Listeners},
    routers::Routers,
    shared::Shared,
};
use std::{net::SocketAddr, sync::Arc};
use tokio::{net::TcpListener, task::JoinHandle};
use tua_config::Config;
use tua_domain::enforcement::Enforcement;
use tua_metrics::Scraper;
use tua_net::{
    ConnectionLimits, HttpService, ProxyDetector, Server,
    acme::{Acme, Records, StoredChallenges},
    limits::ConcurrencyLimit,
    tls::{Challenges, Tls, WatchedFiles},
};
use tua_web::http::{self, RedirectState};

/// How many connections may read metrics at the same time.
const MAX_SCRAPER_CONNECTIONS: usize = 64;

/// How connections are encrypted, and how certificates are had.
pub(super) struct Encryption {
    /// Present where the service itself terminates TLS.
    tls: Option<Arc<Tls>>,
    /// Answers of challenges, where certificates are issued by ACME.
    challenges: Option<Arc<dyn Challenges>>,
}

impl Encryption {
    /// Loads the certificate, and starts the worker that renews it or watches its files.
    ///
    /// # Errors
    /// One line: which file is wrong.
    pub(super) fn start(config: &Config, shared: &Shared) -> Result<Self, String> {
        let records = Records { acme_records: shared.store.clone(), keys: shared.keys.clone() };
        let challenges = config.acme.is_some().then(|| {
            let stored = StoredChallenges::new(records.clone());
            Arc::new(stored) as Arc<dyn Challenges>
        });
        let metrics = shared.metrics.clone();
        let tls = if config.is_tls() {
            Some(Tls::new(challenges.clone(), move |expiry| metrics.certificate_expires(expiry))?)
        } else {
            None
        };
        let Some(certificate) = &tls else { return Ok(Self { tls, challenges }) };
        let Shared { clock, stopping, workers, .. } = shared;
        if let Some(files) = config.tls.clone() {
            let files = WatchedFiles::load(files, certificate.clone())?;
            workers.spawn(files.watch(clock.clone(), stopping.clone()));
        }
        if let Some(settings) = config.acme.clone() {
            let acme = Acme {
                settings,
                records,
                tls: certificate.clone(),
                clock: clock.clone(),
                metrics: shared.metrics.clone(),
            };
            workers.spawn(acme.run(stopping.clone()));
        }
        Ok(Self { tls, challenges })
    }
}

/// Starts the servers of the listeners.
pub(super) struct Acceptor<'a> {
    config: &'a Config,
    shared: &'a Shared,
    encryption: Encryption,
}

/// The service after its listeners accept connections.
pub(super) struct Accepted {
    /// Ends once every connection of the service has ended.
    pub(super) server: JoinHandle<()>,
    pub(super) metrics_address: Option<SocketAddr>,
    pub(super) http_address: Option<SocketAddr>,
}

impl<'a> Acceptor<'a> {
    pub(super) const fn new(
        config: &'a Config,
        shared: &'a Shared,
        encryption: Encryption,
    ) -> Self {
        Self { config, shared, encryption }
    }

    /// Starts a server for each listener, the service's own last.
    pub(super) fn accept(&self, listeners: Listeners, routers: Routers) -> Accepted {
        let metrics_address = address_of(listeners.metrics.as_ref());
        let http_address = address_of(listeners.redirect.as_ref());
        if let (Some((listener, _)), Some(dashboard)) = (listeners.dashboard, routers.dashboard) {
            self.serve(listener, dashboard);
        }
        if let Some((listener, _)) = listeners.redirect {
            self.serve_redirects(listener);
        }
        if let Some((listener, _)) = listeners.metrics {
            self.serve_metrics(listener);
        }
        let (listener, _) = listeners.service;
        let server = self.serve(listener, http::service(routers.service));
        Accepted { server, metrics_address, http_address }
    }

    /// Serves people and shops: over TLS where it is configured, and behind the trusted proxies.
    fn serve(&self, listener: TcpListener, service: impl HttpService + Sync) -> JoinHandle<()> {
        let mut server = self.plain_server(service);
        server.tls.clone_from(&self.encryption.tls);
        server.trusted_proxies = self.config.trusted_proxies.clone().into();
        self.spawn(listener, server)
    }

    /// Redirects plain HTTP to HTTPS, and answers the challenges of ACME.
    fn serve_redirects(&self, listener: TcpListener) {
        let service = http::redirect_router(RedirectState {
            public_url: self.shared.public_url.clone(),
            challenges: self.encryption.challenges.clone(),
            metrics: self.shared.metrics.clone(),
        });
        self.spawn(listener, self.plain_server(service));
    }

    /// Serves metrics to a few connections, which limits of clients do not concern.
    fn serve_metrics(&self, listener: TcpListener) {
        let Shared { store, clock, metrics, operators, .. } = self.shared;
        let service = tua_metrics::router(Scraper {
            metrics: metrics.clone(),
            reviews: store.clone(),
            outbox: store.clone(),
            clock: clock.clone(),
            operators: operators.clone(),
        });
        let mut server = self.plain_server(service);
        server.limits =
            ConnectionLimits { max_connections: MAX_SCRAPER_CONNECTIONS, ..server.limits };
        server.per_address =
            ConcurrencyLimit::new(MAX_SCRAPER_CONNECTIONS, Enforcement::new(false));
        self.spawn(listener, server);
    }

    /// A server of plain HTTP that trusts no proxy.
    fn plain_server<S: HttpService>(&self, service: S) -> Server<S> {
        Server {
            limits: self.config.connection_limits,
            tls: None,
            trusted_proxies: Arc::new([]),
            per_address: self.config.limits.of_connections(self.shared.enforcement.clone()),
            proxy_detector: ProxyDetector::default(),
            service,
        }
    }

    fn spawn<S: HttpService + Sync>(
        &self,
        listener: TcpListener,
        server: Server<S>,
    ) -> JoinHandle<()> {
        tokio::spawn(tua_net::serve(listener, server, self.shared.stopping.clone()))
    }
}

fn address_of(listener: Option<&Listener>) -> Option<SocketAddr> {
    listener.map(|(_, address)| *address)
}
