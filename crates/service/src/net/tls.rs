//! TLS: the certificate, its key, and taking up new ones while serving.

use crate::clock::Clock;
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

/// How often the files are looked at. They are read and compared: their times of change say little
/// where files are replaced by links or within one tick.
const LOOK: SignedDuration = SignedDuration::from_secs(10);

/// Where a certificate and its key are, in PEM form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlsFiles {
    /// The certificate, and after it those that vouch for it.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// What connections are encrypted with.
pub(crate) struct Tls {
    files: TlsFiles,
    acceptor: TlsAcceptor,
    current: Arc<Current>,
    /// What was read last, good or not: a broken file is complained about once.
    seen: Mutex<Fingerprint>,
}

type Fingerprint = [u8; 32];

/// The certificate that new connections are given.
#[derive(Debug)]
struct Current(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// One line that names the file which is at fault.
    pub(crate) fn load(files: TlsFiles) -> Result<Arc<Self>, String> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let pem = Pem::read(&files)?;
        let current = Arc::new(Current(RwLock::new(Arc::new(pem.parse(&files, &provider)?))));
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let mut config =
            builder.map_err(|error| format!("TLS: {error}"))?.with_no_client_auth().with_cert_resolver(current.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let seen = Mutex::new(pem.fingerprint());
        Ok(Arc::new(Self { files, acceptor: TlsAcceptor::from(Arc::new(config)), current, seen }))
    }

    /// The handshake.
    pub(super) fn accept(&self, stream: TcpStream) -> Accept<TcpStream> {
        self.acceptor.accept(stream)
    }

    /// Takes up new files for new connections, until told to stop.
    pub(crate) async fn watch(self: Arc<Self>, clock: Arc<dyn Clock>, stopping: CancellationToken) {
        loop {
            tokio::select! {
                () = clock.sleep_until(clock.now() + LOOK) => {}
                () = stopping.cancelled() => return,
            }
            let tls = self.clone();
            // A look that fails leaves everything as it is; the next one comes.
            let _ = tokio::task::spawn_blocking(move || tls.look()).await;
        }
    }

    /// A broken new file keeps the old certificate.
    fn look(&self) {
        let pem = Pem::read(&self.files);
        let fingerprint = pem.as_ref().map_or([0; 32], Pem::fingerprint);
        let seen = std::mem::replace(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner), fingerprint);
        if seen == fingerprint {
            return;
        }
        match pem.and_then(|pem| pem.parse(&self.files, &aws_lc_rs::default_provider())) {
            Ok(certified) => {
                *self.current.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(certified);
                tracing::info!("a new certificate was taken up");
            }
            Err(error) => tracing::error!(error, "the new certificate is not usable; the old one stays"),
        }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

/// Both files, as they were read.
struct Pem {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Pem {
    fn read(files: &TlsFiles) -> Result<Self, String> {
        let certificate = fs::read(&files.certificate).map_err(|error| named("tls-cert", &files.certificate, error))?;
        let key = fs::read(&files.key).map_err(|error| named("tls-key", &files.key, error))?;
        Ok(Self { certificate, key })
    }

    fn fingerprint(&self) -> Fingerprint {
        let digest = Sha256::new().chain_update(Sha256::digest(&self.certificate)).chain_update(&self.key);
        digest.finalize().into()
    }

    fn parse(&self, files: &TlsFiles, provider: &CryptoProvider) -> Result<CertifiedKey, String> {
        let of_certificate = |error: &dyn Display| named("tls-cert", &files.certificate, error);
        let of_key = |error: &dyn Display| named("tls-key", &files.key, error);
        let chain = CertificateDer::pem_slice_iter(&self.certificate)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| of_certificate(&error))?;
        if chain.is_empty() {
            return Err(of_certificate(&"holds no certificate in PEM form"));
        }
        // The parser's own words may repeat what it read.
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| of_key(&"holds no private key in PEM form"))?;
        let key = provider.key_provider.load_private_key(key).map_err(|error| of_key(&error))?;
        let certified = CertifiedKey::new(chain, key);
        match certified.keys_match() {
            Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => Ok(certified),
            Err(rustls::Error::InconsistentKeys(_)) => {
                let other = files.certificate.display();
                Err(of_key(&format_args!("is not the key of the certificate in {other}")))
            }
            Err(error) => Err(of_certificate(&error)),
        }
    }
}

fn named(setting: &str, path: &Path, error: impl Display) -> String {
    format!("{setting} {}: {error}", path.display())
}
