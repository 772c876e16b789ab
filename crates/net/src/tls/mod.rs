//! TLS: the certificate for new connections, which can be replaced while serving.

mod certificate;
mod challenge;
mod files;
mod server_config;

pub use certificate::{Certificate, CertificateError, certificate_end};
pub use challenge::Challenges;
pub use files::TlsFiles;
pub use files::WatchedFiles;

use jiff::Timestamp;
use rustls::{
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use server_config::server_config;
use std::{
    fmt, io,
    sync::{Arc, PoisonError, RwLock},
};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// Called with the expiry of each certificate that comes into use.
pub type ExpiryObserver = Box<dyn Fn(Timestamp) + Send + Sync>;

/// The TLS configuration of the listener.
pub struct Tls {
    acceptor: TlsAcceptor,
    current: Arc<CurrentCertificate>,
    /// Answers the connections by which an ACME server validates a name.
    challenges: Option<Arc<dyn Challenges>>,
    observer: ExpiryObserver,
}

/// The certificate for new connections. Without one, handshakes are refused.
#[derive(Debug, Default)]
struct CurrentCertificate(RwLock<Option<Arc<CertifiedKey>>>);

impl ResolvesServerCert for CurrentCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Tls {
    /// A configuration without a certificate yet.
    ///
    /// # Errors
    /// One line, if the cryptography provider supports no version of TLS.
    pub fn new(
        challenges: Option<Arc<dyn Challenges>>,
        observer: impl Fn(Timestamp) + Send + Sync + 'static,
    ) -> Result<Arc<Self>, String> {
        let current = Arc::new(CurrentCertificate::default());
        let config =
            server_config(current.clone(), b"http/1.1").map_err(|error| format!("TLS: {error}"))?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Ok(Arc::new(Self { acceptor, current, challenges, observer: Box::new(observer) }))
    }

    /// Uses this certificate for new connections.
    pub fn replace(&self, certificate: Certificate) {
        (self.observer)(certificate.not_after);
        *self.current.0.write().unwrap_or_else(PoisonError::into_inner) =
            Some(Arc::new(certificate.certified));
    }

    /// Performs the handshake. `None` after a connection that only validated a name (RFC 8737).
    pub(super) async fn accept(
        &self,
        stream: TcpStream,
    ) -> io::Result<Option<TlsStream<TcpStream>>> {
        match &self.challenges {
            None => self.acceptor.accept(stream).await.map(Some),
            Some(challenges) => {
                challenge::accept(challenges.as_ref(), self.acceptor.config(), stream).await
            }
        }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("current", &self.current).finish_non_exhaustive()
    }
}
