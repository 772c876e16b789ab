//! Secrets encrypted with the server key.

use crate::{
    key_ring::KeyRing,
    secret::{ServerKey, random_bytes},
};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use std::fmt;

/// The purpose of the derived encryption key; keys for other purposes differ.
const PURPOSE: &[u8] = b"tua: webhook secrets, XChaCha20-Poly1305";

const NONCE: usize = 24;

/// A secret as it is stored: a random nonce, then XChaCha20-Poly1305 ciphertext. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct EncryptedSecret(Vec<u8>);

impl EncryptedSecret {
    /// Encrypts a secret of a webhook endpoint.
    #[must_use]
    pub fn encrypt(key: &ServerKey, secret: &str) -> Self {
        Self::encrypt_for(PURPOSE, key, secret)
    }

    /// Encrypts a secret for another purpose. It does not decrypt for any other.
    #[must_use]
    pub fn encrypt_for(purpose: &[u8], key: &ServerKey, secret: &str) -> Self {
        let nonce = random_bytes::<NONCE>();
        #[expect(clippy::expect_used, reason = "a short text is always encrypted")]
        let text = cipher(purpose, key)
            .encrypt(&XNonce::from(nonce), Payload { msg: secret.as_bytes(), aad: purpose })
            .expect("a short text");
        Self([&nonce[..], &text].concat())
    }

    /// Decrypts it. `None` if it was encrypted with another server key, or changed.
    #[must_use]
    pub fn decrypt(&self, key: &ServerKey) -> Option<String> {
        self.decrypt_for(PURPOSE, key)
    }

    /// As [`Self::decrypt`], for another purpose.
    #[must_use]
    pub fn decrypt_for(&self, purpose: &[u8], key: &ServerKey) -> Option<String> {
        let (nonce, text) = self.0.split_first_chunk::<NONCE>()?;
        let plain = cipher(purpose, key)
            .decrypt(&XNonce::from(*nonce), Payload { msg: text, aad: purpose })
            .ok()?;
        String::from_utf8(plain).ok()
    }

    /// As [`Self::decrypt_for`], with whichever key of this process encrypted it. `None` if none
    /// did.
    #[must_use]
    pub fn decrypt_with(&self, purpose: &[u8], keys: &KeyRing) -> Option<String> {
        keys.all().iter().find_map(|key| self.decrypt_for(purpose, key))
    }

    /// The same secret, encrypted with the current server key. `None` if it is already, if no key
    /// that is there decrypts it, or if a newer key is registered than the current one: then the
    /// server key is being replaced, and processes that encrypt with the newer one already must not
    /// be undone.
    #[must_use]
    pub fn resealed(&self, purpose: &[u8], keys: &KeyRing) -> Option<Self> {
        let current = keys.current();
        if !keys.is_current_the_newest() || self.decrypt_for(purpose, &current).is_some() {
            return None;
        }
        let secret = self.decrypt_with(purpose, keys)?;
        Some(Self::encrypt_for(purpose, &current, &secret))
    }

    /// Reads the bytes of the column.
    #[must_use]
    pub const fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes of the column.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

fn cipher(purpose: &[u8], key: &ServerKey) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&key.authenticate(purpose).into())
}

impl fmt::Debug for EncryptedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EncryptedSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_server_key_decrypts_an_unchanged_secret() {
        let key = ServerKey::parse(&"A".repeat(43)).unwrap();
        let other = ServerKey::parse(&format!("{}E", "B".repeat(42))).unwrap();
        let encrypted = EncryptedSecret::encrypt(&key, "whsec_abc");
        assert_eq!(encrypted.decrypt(&key).as_deref(), Some("whsec_abc"));
        assert_eq!(encrypted.decrypt(&other), None);
        let mut bytes = encrypted.as_bytes().to_vec();
        bytes[NONCE] ^= 1;
        assert_eq!(EncryptedSecret::from_bytes(bytes).decrypt(&key), None);
        assert_eq!(EncryptedSecret::from_bytes(Vec::new()).decrypt(&key), None);
        assert_ne!(
            EncryptedSecret::encrypt(&key, "whsec_abc"),
            encrypted,
            "a nonce is never used twice"
        );
    }
}
