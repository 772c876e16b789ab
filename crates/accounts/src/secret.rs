//! Secrets: made once, shown once, kept as digests.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fmt;

/// SHA-256 of a credential, the only form of it that is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SecretDigest(pub [u8; 32]);

impl SecretDigest {
    /// The digest of a credential as its holder sends it.
    #[must_use]
    pub fn of(credential: &str) -> Self {
        Self(Sha256::digest(credential.as_bytes()).into())
    }
}

/// Bytes from the system's random source.
///
/// # Panics
/// Where the system has no random source, which no supported system lacks.
#[must_use]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    #[expect(clippy::expect_used, reason = "nothing safe can be done without randomness")]
    getrandom::fill(&mut bytes).expect("the system's random source");
    bytes
}

/// A new credential: its prefix and 192 bits from the system's random source.
#[must_use]
pub fn new_credential(prefix: &str) -> String {
    format!("{prefix}{}", URL_SAFE_NO_PAD.encode(random_bytes::<24>()))
}

/// What every checkout token begins with (docs/reference/endpoints.md).
pub const CHECKOUT_PREFIX: &str = "tua_checkout_";

/// The key that checkout tokens are derived with, the same on every node. `Debug` hides it.
#[derive(Clone)]
pub struct ServerKey([u8; 32]);

impl ServerKey {
    /// The key with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key as [`Self::parse`] reads it.
    #[must_use]
    pub fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Derives a session's token from the session's random seed (docs/reference/credentials.md).
    #[must_use]
    pub fn checkout_token(&self, seed: &[u8; 16]) -> String {
        format!("{CHECKOUT_PREFIX}{}", URL_SAFE_NO_PAD.encode(self.authenticate(seed)))
    }

    /// The secret in the path of an operator's callbacks: 256 bits that only who has this key can
    /// compute.
    #[must_use]
    pub fn callback_secret(&self, operator: &str) -> String {
        URL_SAFE_NO_PAD.encode(
            self.authenticate(format!("tua: callbacks of the operator {operator}").as_bytes()),
        )
    }

    /// HMAC-SHA256 of a message under this key.
    #[must_use]
    pub fn authenticate(&self, message: &[u8]) -> [u8; 32] {
        #[expect(
            clippy::expect_used,
            reason = "HMAC takes a key of any length (RFC 2104 section 2)"
        )]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length");
        mac.update(message);
        mac.finalize().into_bytes().into()
    }

    /// A digest that identifies the key, and from which it cannot be computed.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.authenticate(b"tua: the digest of this key")
    }

    /// Reads the keys of `TUA_SERVER_KEY` or of a key file, newest first, with commas between them.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        text.split(',').map(Self::parse).collect()
    }

    /// Reads one key: base64url of 32 bytes.
    ///
    /// # Errors
    /// A sentence that says what is wrong and never repeats the value.
    pub fn parse(text: &str) -> Result<Self, String> {
        let bytes = URL_SAFE_NO_PAD.decode(text.trim().trim_end_matches('='));
        let key = bytes.ok().and_then(|bytes| bytes.try_into().ok());
        key.map(Self).ok_or_else(|| "the server key is not base64url of 32 bytes".to_owned())
    }
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_follows_from_its_seed_and_the_server_key() {
        let one = ServerKey([1; 32]);
        let other = ServerKey([2; 32]);
        assert_eq!(one.checkout_token(&[7; 16]), one.checkout_token(&[7; 16]));
        assert_ne!(one.checkout_token(&[7; 16]), one.checkout_token(&[8; 16]));
        assert_ne!(one.checkout_token(&[7; 16]), other.checkout_token(&[7; 16]));
    }
}
