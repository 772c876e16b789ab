//! Connections to PostgreSQL: the pool, its timeouts, the session settings and TLS.

use super::url::{PostgresUrl, TlsMode};
use deadpool_postgres::{Hook, Manager, ManagerConfig, Pool, QueueMode, RecyclingMethod, Runtime};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject},
};
use rustls_platform_verifier::BuilderVerifierExt;
use std::{future::poll_fn, path::Path, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};
use tokio_postgres::{AsyncMessage, Client, Connection, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;
use tua_sql::postgres::error::{Error, Result};

/// The largest number of pooled connections of a node, in addition to the one that listens. A
/// transaction takes two or three round trips, so 16 connections suffice for thousands of payments
/// per second. Five nodes fit into PostgreSQL's default `max_connections` of 100.
const POOL_SIZE: usize = 16;

/// How long a request waits for a pooled connection: longer than a burst, shorter than a client's
/// timeout.
const POOL_TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout for a new connection, including TLS and authentication.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// `TCP_USER_TIMEOUT`: how long sent data may stay unacknowledged, for a server whose machine is
/// gone.
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(10);

/// After how much idle time TCP keepalive probes start.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(30);

/// SQL that sets the settings of a new session:
///
/// - Statements touch a few rows by key, so one that runs for ten seconds is blocked. The few that
///   read whole tables set a longer time ([`tua_sql::sql::Sql::allow_long_statements`]).
/// - A row lock is held for a few milliseconds. A lock wait of five seconds means that another node
///   hangs; after ten idle seconds the server ends that node's transaction and releases its locks.
/// - Acknowledged payments must be durable, so `synchronous_commit = off` in the server's
///   configuration is overridden.
/// - Plans are generic and use indexes, because they are cached while tables grow from empty: a
///   plan that was made for an empty table would read a large table in full.
const SET_SESSION_SETTINGS: &str = "
    SET statement_timeout = '10s';
    SET lock_timeout = '5s';
    SET idle_in_transaction_session_timeout = '10s';
    SET plan_cache_mode = 'force_generic_plan'; SET jit = off;
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
    SELECT set_config('synchronous_commit', 'on', false) WHERE \
    current_setting('synchronous_commit') = 'off'";

/// SQL that stores the id of the server's incarnation in a setting of the session. The server
/// closes all connections when it crashes, so a connection has one incarnation. The first
/// connection after a crash inserts the new incarnation.
const SET_INCARNATION: &str = "
    INSERT INTO server_incarnations DEFAULT VALUES ON CONFLICT DO NOTHING;
    SELECT set_config('tua.incarnation', id::text, false) FROM server_incarnations";

/// Opens connections to one database, with TLS where its URL requires it.
#[derive(Clone)]
pub(super) struct Connector {
    config: tokio_postgres::Config,
    tls: Option<MakeRustlsConnect>,
}

impl Connector {
    /// A connector to the database of this URL, with the timeouts of this module.
    ///
    /// # Errors
    /// One line: the root certificates cannot be read, or TLS cannot be configured.
    pub(super) fn new(url: &PostgresUrl) -> std::result::Result<Self, String> {
        let mut config = url.config.clone();
        config
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_user_timeout(TCP_USER_TIMEOUT)
            .keepalives_idle(KEEPALIVE_IDLE);
        Ok(Self { config, tls: tls_connector(&url.security)? })
    }

    /// Creates a pool. It connects on first use.
    ///
    /// # Errors
    /// One line: the pool's configuration is invalid.
    pub(super) fn pool(&self) -> std::result::Result<Pool, String> {
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = match self.tls.clone() {
            Some(tls) => Manager::from_config(self.config.clone(), tls, recycling),
            None => Manager::from_config(self.config.clone(), NoTls, recycling),
        };
        let set_up_session = Hook::async_fn(|client, _| {
            Box::pin(async move {
                client
                    .batch_execute(SET_SESSION_SETTINGS)
                    .await
                    .map_err(deadpool_postgres::HookError::Backend)?;
                if let Err(error) = client.batch_execute(SET_INCARNATION).await {
                    tracing::debug!(%error, "cannot read the server's incarnation");
                }
                Ok(())
            })
        });
        Pool::builder(manager)
            .max_size(POOL_SIZE)
            // Reuses the most recent connection, whose statements are prepared and whose memory is
            // warm.
            .queue_mode(QueueMode::Lifo)
            .wait_timeout(Some(POOL_TIMEOUT))
            .create_timeout(Some(CONNECT_TIMEOUT))
            .runtime(Runtime::Tokio1)
            .post_create(set_up_session)
            .build()
            .map_err(|error| error.to_string())
    }

    /// Opens a connection outside the pool. The receiver yields the payloads of the connection's
    /// notifications, and ends when the connection is closed.
    ///
    /// # Errors
    /// [`Error::ConnectTimeout`] or [`Error::Database`].
    pub(super) async fn connect(&self) -> Result<(Client, UnboundedReceiver<String>)> {
        let (sender, notifications) = unbounded_channel();
        let connecting = async {
            let client = match self.tls.clone() {
                Some(tls) => {
                    let (client, connection) = self.config.connect(tls).await?;
                    tokio::spawn(forward_notifications(connection, sender));
                    client
                }
                None => {
                    let (client, connection) = self.config.connect(NoTls).await?;
                    tokio::spawn(forward_notifications(connection, sender));
                    client
                }
            };
            Ok((client, notifications))
        };
        tokio::time::timeout(CONNECT_TIMEOUT, connecting)
            .await
            .unwrap_or(Err(Error::ConnectTimeout))
    }
}

/// Sends the payloads of a connection's notifications to `sender` until the connection is closed.
async fn forward_notifications<S, T>(
    mut connection: Connection<S, T>,
    sender: UnboundedSender<String>,
) where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(notification) = message
            && sender.send(notification.payload().to_owned()).is_err()
        {
            return;
        }
    }
}

/// The TLS of a mode; `None` if the mode disables it.
///
/// # Errors
/// One line: the root certificates cannot be read, or TLS cannot be configured.
fn tls_connector(mode: &TlsMode) -> std::result::Result<Option<MakeRustlsConnect>, String> {
    // The crypto provider that the rest of the service uses.
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS: {error}"))?;
    let config = match mode {
        TlsMode::Disabled => return Ok(None),
        TlsMode::SystemRoots => {
            builder.with_platform_verifier().map_err(|error| format!("TLS: {error}"))?
        }
        TlsMode::Roots(path) => builder.with_root_certificates(read_root_certificates(path)?),
    };
    Ok(Some(MakeRustlsConnect::new(config.with_no_client_auth())))
}

/// Reads the root certificates of a PEM file.
fn read_root_certificates(path: &Path) -> std::result::Result<RootCertStore, String> {
    let with_path =
        |error: &dyn std::fmt::Display| format!("sslrootcert {}: {error}", path.display());
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| with_path(&error))?;
    let mut roots = RootCertStore::empty();
    for certificate in certificates {
        let certificate = certificate.map_err(|error| with_path(&error))?;
        roots.add(certificate).map_err(|error| with_path(&error))?;
    }
    if roots.is_empty() { Err(with_path(&"it contains no certificate")) } else { Ok(roots) }
}
