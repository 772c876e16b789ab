//! TLS: loads the certificate and its key, and reloads them while serving.

use crate::domain::ports::Clock;
use jiff::SignedDuration;
use rustls::{
    InconsistentKeys, ServerConfig,
    crypto::{CryptoProvider, aws_lc_rs},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use sha2::{Digest, Sha256};
use std::{
    fmt::{self, Display},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
};
use tokio::net::TcpStream;
use tokio_rustls::{Accept, TlsAcceptor};
use tokio_util::sync::CancellationToken;

/// How often the files are read and compared. Modification times are not reliable where a symbolic link is replaced,
/// or where two changes fall into one tick of the file system's clock.
const RELOAD_INTERVAL: SignedDuration = SignedDuration::from_secs(10);

/// The paths of a certificate and its private key, in PEM form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlsFiles {
    /// The certificate, followed by its intermediate certificates.
    pub certificate: PathBuf,
    /// The private key of the certificate.
    pub key: PathBuf,
}

/// The TLS configuration of the listener.
pub(crate) struct Tls {
    files: TlsFiles,
    acceptor: TlsAcceptor,
    current: Arc<ReloadableCertificate>,
    /// Fingerprint of the files at the last read, valid or not, so that a broken file is logged once.
    last_read: Mutex<Fingerprint>,
}

type Fingerprint = [u8; 32];

/// The certificate for new connections.
#[derive(Debug)]
struct ReloadableCertificate(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for ReloadableCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

impl Tls {
    /// Loads the certificate and the key.
    ///
    /// # Errors
    /// One line that names the invalid file.
    pub(crate) fn load(files: TlsFiles) -> Result<Arc<Self>, String> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let pem = Pem::read(&files)?;
        let current = Arc::new(ReloadableCertificate(RwLock::new(Arc::new(pem.parse(&files, &provider)?))));
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let mut config =
            builder.map_err(|error| format!("TLS: {error}"))?.with_no_client_auth().with_cert_resolver(current.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let last_read = Mutex::new(pem.fingerprint());
        Ok(Arc::new(Self { files, acceptor: TlsAcceptor::from(Arc::new(config)), current, last_read }))
    }

    /// Starts the TLS handshake.
    pub(super) fn accept(&self, stream: TcpStream) -> Accept<TcpStream> {
        self.acceptor.accept(stream)
    }

    /// Reloads changed files for new connections, until `stopping` is cancelled.
    pub(crate) async fn watch_files(self: Arc<Self>, clock: Arc<dyn Clock>, stopping: CancellationToken) {
        loop {
            tokio::select! {
                () = clock.sleep_until(clock.now() + RELOAD_INTERVAL) => {}
                () = stopping.cancelled() => return,
            }
            let tls = self.clone();
            // A task that panicked changes nothing; the next check follows.
            let _ = tokio::task::spawn_blocking(move || tls.reload_if_changed()).await;
        }
    }

    /// Keeps the old certificate where the new files are invalid.
    fn reload_if_changed(&self) {
        let pem = Pem::read(&self.files);
        let fingerprint = pem.as_ref().map_or([0; 32], Pem::fingerprint);
        let last = std::mem::replace(&mut *self.last_read.lock().unwrap_or_else(PoisonError::into_inner), fingerprint);
        if last == fingerprint {
            return;
        }
        match pem.and_then(|pem| pem.parse(&self.files, &aws_lc_rs::default_provider())) {
            Ok(certified) => {
                *self.current.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(certified);
                tracing::info!("TLS certificate reloaded");
            }
            Err(error) => tracing::error!(error, "new TLS certificate is invalid; keeping the old one"),
        }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

/// The contents of both files.
struct Pem {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Pem {
    fn read(files: &TlsFiles) -> Result<Self, String> {
        let certificate =
            fs::read(&files.certificate).map_err(|error| file_error("tls-cert", &files.certificate, error))?;
        let key = fs::read(&files.key).map_err(|error| file_error("tls-key", &files.key, error))?;
        Ok(Self { certificate, key })
    }

    fn fingerprint(&self) -> Fingerprint {
        let digest = Sha256::new().chain_update(Sha256::digest(&self.certificate)).chain_update(&self.key);
        digest.finalize().into()
    }

    fn parse(&self, files: &TlsFiles, provider: &CryptoProvider) -> Result<CertifiedKey, String> {
        let certificate_error = |error: &dyn Display| file_error("tls-cert", &files.certificate, error);
        let key_error = |error: &dyn Display| file_error("tls-key", &files.key, error);
        let chain = CertificateDer::pem_slice_iter(&self.certificate)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| certificate_error(&error))?;
        if chain.is_empty() {
            return Err(certificate_error(&"holds no certificate in PEM form"));
        }
        // Without the parser's own message, which may repeat parts of the key.
        let key =
            PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| key_error(&"holds no private key in PEM form"))?;
        let key = provider.key_provider.load_private_key(key).map_err(|error| key_error(&error))?;
        let certified = CertifiedKey::new(chain, key);
        match certified.keys_match() {
            Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => Ok(certified),
            Err(rustls::Error::InconsistentKeys(_)) => {
                let other = files.certificate.display();
                Err(key_error(&format_args!("is not the key of the certificate in {other}")))
            }
            Err(error) => Err(certificate_error(&error)),
        }
    }
}

fn file_error(setting: &str, path: &Path, error: impl Display) -> String {
    format!("{setting} {}: {error}", path.display())
}
