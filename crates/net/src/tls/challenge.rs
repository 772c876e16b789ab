//! Connections by which an ACME server validates that this service controls a name: TLS-ALPN-01
//! (RFC 8737).

use super::server_config::server_config;
use async_trait::async_trait;
use rustls::{
    ServerConfig,
    server::{Acceptor, ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use std::{fmt::Debug, io, sync::Arc};
use tokio::{io::AsyncWriteExt, net::TcpStream};
use tokio_rustls::{LazyConfigAcceptor, server::TlsStream};

/// The protocol that the ACME server asks for (RFC 8737 section 6.2).
const ACME_TLS: &[u8] = b"acme-tls/1";

/// What is answered to an ACME server while it validates a name. Any node may be asked, so the
/// answers are in the database that the nodes share.
#[async_trait]
pub trait Challenges: Debug + Send + Sync {
    /// The certificate for a TLS-ALPN-01 challenge of this name; `None` if none is in progress.
    async fn certificate(&self, name: &str) -> Option<Arc<CertifiedKey>>;

    /// The key authorization for the HTTP-01 challenge with this token; `None` if none is in
    /// progress.
    async fn key_authorization(&self, token: &str) -> Option<String>;
}

#[derive(Debug)]
struct One(Arc<CertifiedKey>);

impl ResolvesServerCert for One {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}

/// Performs the handshake of an ordinary connection, or of one that validates a name. The latter is
/// closed after the handshake, and `None` is returned.
pub(super) async fn accept(
    challenges: &dyn Challenges,
    config: &Arc<ServerConfig>,
    stream: TcpStream,
) -> io::Result<Option<TlsStream<TcpStream>>> {
    let start = LazyConfigAcceptor::new(Acceptor::default(), stream).await?;
    let Some(name) = validated_name(&start.client_hello()) else {
        return start.into_stream(config.clone()).await.map(Some);
    };
    let Some(certificate) = challenges.certificate(&name).await else {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "no validation of this name is in progress",
        ));
    };
    let config = server_config(Arc::new(One(certificate)), ACME_TLS).map_err(io::Error::other)?;
    start.into_stream(Arc::new(config)).await?.shutdown().await?;
    Ok(None)
}

/// The name that is to be validated; `None` for an ordinary connection.
fn validated_name(hello: &ClientHello<'_>) -> Option<String> {
    let is_challenge = hello.alpn()?.eq([ACME_TLS]);
    is_challenge.then(|| hello.server_name().unwrap_or_default().to_owned())
}
