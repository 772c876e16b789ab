//! Signs the HTTP requests that carry orders to pawaPay.

use super::base::{parse_dictionary, signature_base};
use aws_lc_rs::{
    digest::{SHA512, digest},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use sfv::{InnerList, ListEntry};
use std::fmt;
use url::Url;

/// How long a signature is valid, in seconds: what pawaPay's documentation uses.
const LIFETIME_SECONDS: i64 = 60;

/// The name of the signature in the dictionaries, which is pawaPay's.
const LABEL: &str = "sig-pp";

/// The merchant's private key, whose public part is registered at pawaPay.
pub struct SigningKey {
    id: String,
    pair: EcdsaKeyPair,
}

/// The headers of a signed request.
pub(crate) type Signed = Vec<(&'static str, String)>;

impl SigningKey {
    /// A key from PEM: PKCS #8, or the form of RFC 5915 that `openssl ecparam -genkey` writes.
    ///
    /// # Errors
    /// What is wrong, without the key.
    pub fn new(pem: &str, id: &str) -> Result<Self, &'static str> {
        const FAULT: &str = "must be a private key for ECDSA on the curve P-256, in PEM";
        let blocks = pem::parse_many(pem).map_err(|_| FAULT)?;
        let key = blocks.iter().find(|block| block.tag().ends_with("PRIVATE KEY")).ok_or(FAULT)?;
        let pair =
            EcdsaKeyPair::from_private_key_der(&ECDSA_P256_SHA256_ASN1_SIGNING, key.contents());
        let key = Self { id: id.to_owned(), pair: pair.map_err(|_| FAULT)? };
        key.input(Timestamp::UNIX_EPOCH)
            .map(|_| key)
            .ok_or("signing-key-id has characters that no key id has")
    }

    /// Signs a request with a JSON body; the headers to add. `None` only where the URL has no host.
    pub(crate) fn sign(&self, url: &Url, body: &[u8], now: Timestamp) -> Option<Signed> {
        let (input, list) = self.input(now)?;
        let authority = authority(url)?;
        let date = now.to_string();
        let content_digest = format!("sha-512=:{}:", STANDARD.encode(digest(&SHA512, body)));
        let base = signature_base(&list, |name| {
            Some(match name {
                "@method" => "POST".to_owned(),
                "@authority" => authority.clone(),
                "@path" => url.path().to_owned(),
                "signature-date" => date.clone(),
                "content-digest" => content_digest.clone(),
                _ => "application/json".to_owned(),
            })
        })?;
        let signature = self.pair.sign(&SystemRandom::new(), base.as_bytes()).ok()?;
        Some(vec![
            ("content-digest", content_digest),
            ("signature-date", date),
            ("signature-input", format!("{LABEL}={input}")),
            ("signature", format!("{LABEL}=:{}:", STANDARD.encode(signature))),
        ])
    }

    /// What is covered, as text and parsed. `None` where the key's id is no text of RFC 9651.
    fn input(&self, now: Timestamp) -> Option<(String, InnerList)> {
        let id = &self.id;
        let created = now.as_second();
        let expires = created + LIFETIME_SECONDS;
        let input = format!(
            "(\"@method\" \"@authority\" \"@path\" \"signature-date\" \"content-digest\" \
             \"content-type\")\
             ;alg=\"ecdsa-p256-sha256\";keyid=\"{id}\";created={created};expires={expires}"
        );
        match parse_dictionary(&format!("{LABEL}={input}"))?.get(LABEL)? {
            ListEntry::InnerList(list) => Some((input, list.clone())),
            ListEntry::Item(_) => None,
        }
    }
}

/// The host and, where it is not the scheme's own, the port of a URL (RFC 9421, section 2.2.3).
pub(super) fn authority(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("id", &self.id).finish_non_exhaustive()
    }
}
