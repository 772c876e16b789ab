//! A certificate and its key in files, which are loaded again when they change.

use super::{Certificate, CertificateError, Tls};
use jiff::SignedDuration;
use sha2::{Digest, Sha256};
use std::{
    fmt::Display,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};
use tokio_util::sync::CancellationToken;
use tua_domain::ports::Clock;

/// How often the files are read and compared. Modification times are not reliable where a symbolic
/// link is replaced, or where two changes fall into one tick of the file system's clock.
const RELOAD_INTERVAL: SignedDuration = SignedDuration::from_secs(10);

/// The paths of a certificate and its private key, in PEM form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlsFiles {
    /// The certificate, followed by its intermediate certificates.
    pub certificate: PathBuf,
    /// The private key of the certificate.
    pub key: PathBuf,
}

type Fingerprint = [u8; 32];

/// Files that are loaded again when they change.
#[derive(Debug)]
pub struct WatchedFiles {
    files: TlsFiles,
    tls: Arc<Tls>,
    /// Fingerprint of the files at the last read, valid or not, so that a broken file is logged
    /// once.
    last_read: Mutex<Fingerprint>,
}

impl TlsFiles {
    /// Loads the certificate and its key.
    ///
    /// # Errors
    /// One line that names the invalid file.
    pub fn load(&self) -> Result<Certificate, String> {
        Pem::read(self).and_then(|pem| pem.parse(self))
    }
}

impl WatchedFiles {
    /// Loads the certificate and its key for `tls`.
    ///
    /// # Errors
    /// One line that names the invalid file.
    pub fn load(files: TlsFiles, tls: Arc<Tls>) -> Result<Arc<Self>, String> {
        let pem = Pem::read(&files)?;
        tls.replace(pem.parse(&files)?);
        let last_read = Mutex::new(pem.fingerprint());
        Ok(Arc::new(Self { files, tls, last_read }))
    }

    /// Reloads changed files for new connections, until `stopping` is cancelled.
    pub async fn watch(self: Arc<Self>, clock: Arc<dyn Clock>, stopping: CancellationToken) {
        loop {
            tokio::select! {
                () = clock.sleep_until(clock.now() + RELOAD_INTERVAL) => {}
                () = stopping.cancelled() => return,
            }
            let files = self.clone();
            // A task that panicked changes nothing; the next check follows.
            let _ = tokio::task::spawn_blocking(move || files.reload_if_changed()).await;
        }
    }

    /// Keeps the old certificate where the new files are invalid.
    fn reload_if_changed(&self) {
        let pem = Pem::read(&self.files);
        let fingerprint = pem.as_ref().map_or([0; 32], Pem::fingerprint);
        let last = std::mem::replace(
            &mut *self.last_read.lock().unwrap_or_else(PoisonError::into_inner),
            fingerprint,
        );
        if last == fingerprint {
            return;
        }
        match pem.and_then(|pem| pem.parse(&self.files)) {
            Ok(certificate) => {
                self.tls.replace(certificate);
                tracing::info!("TLS certificate reloaded");
            }
            Err(error) => {
                tracing::error!(error, "new TLS certificate is invalid; keeping the old one")
            }
        }
    }
}

/// The contents of both files.
struct Pem {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Pem {
    fn read(files: &TlsFiles) -> Result<Self, String> {
        let certificate = fs::read(&files.certificate)
            .map_err(|error| file_error("tls-cert", &files.certificate, error))?;
        let key = fs::read(&files.key).map_err(|error| file_error("tls-key", &files.key, error))?;
        Ok(Self { certificate, key })
    }

    fn fingerprint(&self) -> Fingerprint {
        let digest =
            Sha256::new().chain_update(Sha256::digest(&self.certificate)).chain_update(&self.key);
        digest.finalize().into()
    }

    fn parse(&self, files: &TlsFiles) -> Result<Certificate, String> {
        Certificate::from_pem(&self.certificate, &self.key).map_err(|error| match error {
            CertificateError::Chain(_) => file_error("tls-cert", &files.certificate, error),
            CertificateError::Key(_) => file_error("tls-key", &files.key, error),
            CertificateError::Mismatch => {
                let other = files.certificate.display();
                file_error(
                    "tls-key",
                    &files.key,
                    format_args!("is not the key of the certificate in {other}"),
                )
            }
        })
    }
}

fn file_error(setting: &str, path: &Path, error: impl Display) -> String {
    format!("{setting} {}: {error}", path.display())
}
