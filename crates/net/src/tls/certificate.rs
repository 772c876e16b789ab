//! A certificate chain with its private key, read from PEM.

use jiff::Timestamp;
use rustls::{
    InconsistentKeys,
    client::verify_server_name,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject},
    server::ParsedCertificate,
    sign::CertifiedKey,
};
use x509_cert::{Certificate as X509, der::Decode, time::Time};

/// A certificate chain with its key.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The chain and the key as rustls uses them.
    pub certified: CertifiedKey,
    /// From when the certificate is valid.
    pub not_before: Timestamp,
    /// Until when the certificate is valid.
    pub not_after: Timestamp,
}

/// Why a certificate cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CertificateError {
    /// The chain is invalid; the text says why.
    #[error("{0}")]
    Chain(String),
    /// The key is invalid; the text says why, without any part of the key.
    #[error("{0}")]
    Key(String),
    /// Each is valid, but the key is not the certificate's.
    #[error("is not the key of the certificate")]
    Mismatch,
}

impl Certificate {
    /// Parses a chain, the server's certificate first, and its key.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, CertificateError> {
        let invalid = |error: &dyn std::fmt::Display| CertificateError::Chain(error.to_string());
        let chain = CertificateDer::pem_slice_iter(chain)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|e| invalid(&e))?;
        let Some(first) = chain.first() else {
            return Err(invalid(&"holds no certificate in PEM form"));
        };
        let validity =
            X509::from_der(first).map_err(|error| invalid(&error))?.tbs_certificate.validity;
        // Without the parser's own message, which may repeat parts of the key.
        let key = PrivateKeyDer::from_pem_slice(key)
            .map_err(|_| CertificateError::Key("holds no private key in PEM form".to_owned()))?;
        let key = aws_lc_rs::default_provider().key_provider.load_private_key(key);
        let certified = CertifiedKey::new(
            chain,
            key.map_err(|error| CertificateError::Key(error.to_string()))?,
        );
        match certified.keys_match() {
            Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => {}
            Err(rustls::Error::InconsistentKeys(_)) => return Err(CertificateError::Mismatch),
            Err(error) => return Err(invalid(&error)),
        }
        let not_before = timestamp(validity.not_before);
        let not_after = timestamp(validity.not_after);
        Ok(Self { certified, not_before, not_after })
    }

    /// Whether clients accept the certificate for this DNS name.
    pub fn covers(&self, name: &str) -> bool {
        let parsed = self.certified.end_entity_cert().and_then(ParsedCertificate::try_from);
        let name = ServerName::try_from(name);
        parsed.is_ok_and(|parsed| name.is_ok_and(|name| verify_server_name(&parsed, &name).is_ok()))
    }
}

/// Until when a certificate in DER form is valid. `None` where it is none.
pub fn certificate_end(der: &[u8]) -> Option<Timestamp> {
    Some(timestamp(X509::from_der(der).ok()?.tbs_certificate.validity.not_after))
}

/// A time beyond the range of [`Timestamp`] is never reached, so the latest representable one
/// stands for it.
fn timestamp(time: Time) -> Timestamp {
    let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)
}
