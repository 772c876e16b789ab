//! Answers the ACME server's validations, on any node.

use super::{records::Records, settings::Challenge};
use crate::tls::Challenges;
use async_trait::async_trait;
use rcgen::{CertificateParams, CustomExtension, KeyPair};
use rustls::{
    crypto::aws_lc_rs,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    sign::CertifiedKey,
};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// How many answers may be read at the same time. Anyone can ask for them.
const MAX_READS: usize = 4;

/// The longest token or name that is looked up.
const MAX_NAME_BYTES: usize = 255;

/// Answers from the database.
#[derive(Debug)]
pub struct StoredChallenges {
    records: Records,
    reads: Semaphore,
}

/// The name of the record with the answer to a challenge. `subject` is the name that is validated
/// by TLS-ALPN-01, or the token of HTTP-01.
pub(super) fn record_name(challenge: Challenge, subject: &str) -> String {
    match challenge {
        Challenge::TlsAlpn01 => format!("tls-alpn-01/{subject}"),
        Challenge::Http01 => format!("http-01/{subject}"),
    }
}

impl StoredChallenges {
    /// Answers from these records.
    pub fn new(records: Records) -> Self {
        Self { records, reads: Semaphore::new(MAX_READS) }
    }

    async fn read(&self, challenge: Challenge, subject: &str) -> Option<String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if subject.is_empty() || subject.len() > MAX_NAME_BYTES || !subject.bytes().all(is_plain) {
            return None;
        }
        let _permit = self.reads.acquire().await.ok()?;
        let found = self.records.challenge(&record_name(challenge, subject)).await;
        found
            .inspect_err(
                |error| tracing::warn!(%error, "the answer to a validation cannot be read"),
            )
            .ok()?
    }
}

#[async_trait]
impl Challenges for StoredChallenges {
    async fn certificate(&self, name: &str) -> Option<Arc<CertifiedKey>> {
        let key_authorization = self.read(Challenge::TlsAlpn01, &name.to_ascii_lowercase()).await?;
        let certificate = challenge_certificate(name, &key_authorization);
        certificate
            .inspect_err(|error| {
                tracing::error!(error, "the answer to a validation cannot be made")
            })
            .ok()
    }

    async fn key_authorization(&self, token: &str) -> Option<String> {
        self.read(Challenge::Http01, token).await
    }
}

/// A self-signed certificate with the digest of the key authorization (RFC 8737 section 3).
fn challenge_certificate(name: &str, key_authorization: &str) -> Result<Arc<CertifiedKey>, String> {
    let made = || {
        let mut params = CertificateParams::new([name.to_owned()])?;
        let digest = Sha256::digest(key_authorization.as_bytes());
        params.custom_extensions = vec![CustomExtension::new_acme_identifier(&digest)];
        let key = KeyPair::generate()?;
        Ok::<_, rcgen::Error>((params.self_signed(&key)?, key))
    };
    let (certificate, key) = made().map_err(|error| error.to_string())?;
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let key = aws_lc_rs::default_provider()
        .key_provider
        .load_private_key(key)
        .map_err(|error| error.to_string())?;
    Ok(Arc::new(CertifiedKey::new(vec![certificate.der().clone()], key)))
}
