//! Connections: how many, how patient, how secured.

use super::{
    error::{Error, Result},
    url::{PostgresUrl, Security},
};
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

/// How many connections a node holds at the most, beside the one that listens. A transaction takes two or
/// three round trips, so that sixteen carry thousands of payments a second; five nodes fit into the
/// hundred connections that PostgreSQL allows unless it is told otherwise.
const CONNECTIONS: usize = 16;

/// How long a request waits for one of them. Longer than a burst, shorter than a client's patience.
const WAIT: Duration = Duration::from_secs(5);

/// How long a new connection may take, its TLS and password included.
const CONNECT: Duration = Duration::from_secs(5);

/// How long what was sent may stay unacknowledged: a server whose machine is gone says nothing.
const UNACKNOWLEDGED: Duration = Duration::from_secs(10);

/// After how much silence the way to the server is tried.
const SILENCE: Duration = Duration::from_secs(30);

/// What every session sets. Each statement is a few rows by key: one that takes ten seconds is held up.
/// A row is locked for the few milliseconds of a transaction: five seconds of waiting is a node that hangs,
/// and the ten seconds after which the server ends such a node's transaction give its rows back. What is
/// answered must be on disk: where the server's settings say otherwise, they are overruled. Rows are found by
/// index, and a statement's plan is made once: it is kept while tables grow from nothing, so that none may read a whole
/// table because it was short then.
const SESSION: &str = "
    SET statement_timeout = '10s';
    SET lock_timeout = '5s';
    SET idle_in_transaction_session_timeout = '10s';
    SET plan_cache_mode = 'force_generic_plan'; SET jit = off;
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/// Which life of the server a connection is of, where it can be learned: the server ends all connections with a
/// life. The first one in a life gives it its name.
const LIFE: &str = "
    INSERT INTO server_lives DEFAULT VALUES ON CONFLICT DO NOTHING;
    SELECT set_config('tua.life', id::text, false) FROM server_lives";

/// How connections are made.
#[derive(Clone)]
pub(super) struct Connector {
    config: tokio_postgres::Config,
    tls: Option<MakeRustlsConnect>,
}

impl Connector {
    /// # Errors
    /// One line: the roots cannot be read.
    pub(super) fn new(url: &PostgresUrl) -> std::result::Result<Self, String> {
        let mut config = url.config.clone();
        config.connect_timeout(CONNECT).tcp_user_timeout(UNACKNOWLEDGED).keepalives_idle(SILENCE);
        Ok(Self { config, tls: tls(&url.security)? })
    }

    /// Makes a pool, which connects when it is first used.
    ///
    /// # Errors
    /// One line.
    pub(super) fn pool(&self) -> std::result::Result<Pool, String> {
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = match self.tls.clone() {
            Some(tls) => Manager::from_config(self.config.clone(), tls, recycling),
            None => Manager::from_config(self.config.clone(), NoTls, recycling),
        };
        let prepare = Hook::async_fn(|client, _| {
            Box::pin(async move {
                client.batch_execute(SESSION).await.map_err(deadpool_postgres::HookError::Backend)?;
                if let Err(error) = client.batch_execute(LIFE).await {
                    tracing::debug!(%error, "the server's life has no name");
                }
                Ok(())
            })
        });
        Pool::builder(manager)
            .max_size(CONNECTIONS)
            // Few are in use nearly always: those whose statements are prepared and whose memory is warm.
            .queue_mode(QueueMode::Lifo)
            .wait_timeout(Some(WAIT))
            .create_timeout(Some(CONNECT))
            .runtime(Runtime::Tokio1)
            .post_create(prepare)
            .build()
            .map_err(|error| error.to_string())
    }

    /// A connection outside the pool, and what it is notified of. The notifications end with it.
    pub(super) async fn listen(&self) -> Result<(Client, UnboundedReceiver<String>)> {
        let (heard, notifications) = unbounded_channel();
        let connecting = async {
            let client = match self.tls.clone() {
                Some(tls) => {
                    let (client, connection) = self.config.connect(tls).await?;
                    tokio::spawn(pass_on(connection, heard));
                    client
                }
                None => {
                    let (client, connection) = self.config.connect(NoTls).await?;
                    tokio::spawn(pass_on(connection, heard));
                    client
                }
            };
            Ok((client, notifications))
        };
        tokio::time::timeout(CONNECT, connecting).await.unwrap_or(Err(Error::Slow))
    }
}

async fn pass_on<S, T>(mut connection: Connection<S, T>, heard: UnboundedSender<String>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(notification) = message
            && heard.send(notification.payload().to_owned()).is_err()
        {
            return;
        }
    }
}

fn tls(security: &Security) -> std::result::Result<Option<MakeRustlsConnect>, String> {
    // The provider that everything else here has.
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS: {error}"))?;
    let config = match security {
        Security::Plain => return Ok(None),
        Security::SystemRoots => builder.with_platform_verifier().map_err(|error| format!("TLS: {error}"))?,
        Security::Roots(path) => builder.with_root_certificates(roots(path)?),
    };
    Ok(Some(MakeRustlsConnect::new(config.with_no_client_auth())))
}

fn roots(path: &Path) -> std::result::Result<RootCertStore, String> {
    let named = |error: &dyn std::fmt::Display| format!("sslrootcert {}: {error}", path.display());
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| named(&error))?;
    let mut roots = RootCertStore::empty();
    for certificate in certificates {
        let certificate = certificate.map_err(|error| named(&error))?;
        roots.add(certificate).map_err(|error| named(&error))?;
    }
    if roots.is_empty() { Err(named(&"it holds no certificate")) } else { Ok(roots) }
}
