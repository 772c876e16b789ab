//! The files with which the service terminates TLS itself.

use std::path::PathBuf;
use tua_net::tls::TlsFiles;

/// Both files, or none.
///
/// # Errors
/// A sentence that names the setting which is there alone, and the one that is missing.
pub(super) fn read(
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
) -> Result<Option<TlsFiles>, String> {
    match (certificate, key) {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => Ok(Some(TlsFiles { certificate, key })),
        (Some(_), None) => Err("tls-cert: --tls-key is required too".to_owned()),
        (None, Some(_)) => Err("tls-key: --tls-cert is required too".to_owned()),
    }
}
