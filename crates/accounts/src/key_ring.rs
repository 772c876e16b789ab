//! The versions of the server key (docs/reference/credentials.md, "Server key").

use super::{audit::AuditKey, secret::ServerKey};
use std::sync::{Arc, PoisonError, RwLock};

/// A version of the server key, as the database has it. The key itself is not in the database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisteredKey {
    /// 1 for the first key, then 2, 3, …
    pub version: u32,
    /// The [`ServerKey::digest`] of the key, which identifies it and reveals nothing of it.
    pub digest: [u8; 32],
}

type Keys = Arc<[(u32, ServerKey)]>;

/// The server keys of this process. Clones share them, so that all parts of a service use a new key
/// at the same time.
#[derive(Clone, Debug)]
pub struct KeyRing(Arc<RwLock<Keys>>);

impl KeyRing {
    /// Whether no other of these keys has a later version than the current one.
    #[must_use]
    pub fn is_current_the_newest(&self) -> bool {
        let versions = self.versions();
        versions.first() == versions.iter().max()
    }

    /// The given keys, which must all be registered. `None` if none is given, or one is not
    /// registered.
    #[must_use]
    pub fn new(given: &[ServerKey], registered: &[RegisteredKey]) -> Option<Self> {
        let version = |key: &ServerKey| {
            let found = registered.iter().find(|one| one.digest == key.digest())?;
            Some((found.version, key.clone()))
        };
        let keys: Keys = given.iter().map(version).collect::<Option<_>>()?;
        (!keys.is_empty()).then(|| Self(Arc::new(RwLock::new(keys))))
    }

    /// Uses the keys of another ring from now on.
    pub fn replace(&self, other: &Self) {
        let keys = other.keys();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = keys;
    }

    /// The key that new tokens and seals are made with.
    #[must_use]
    pub fn current(&self) -> ServerKey {
        self.keys()[0].1.clone()
    }

    /// All keys: the current one, then those of which tokens and seals may still exist.
    #[must_use]
    pub fn all(&self) -> Vec<ServerKey> {
        self.keys().iter().map(|(_, key)| key.clone()).collect()
    }

    /// The versions of these keys, the current one first.
    #[must_use]
    pub fn versions(&self) -> Vec<u32> {
        self.keys().iter().map(|(version, _)| *version).collect()
    }

    /// The key for new entries of the audit log.
    #[must_use]
    pub fn audit_key(&self) -> AuditKey {
        let (version, key) = &self.keys()[0];
        AuditKey::derive(*version, key)
    }

    /// The keys of all entries of the audit log that can be verified.
    #[must_use]
    pub fn audit_keys(&self) -> Vec<AuditKey> {
        self.keys().iter().map(|(version, key)| AuditKey::derive(*version, key)).collect()
    }

    fn keys(&self) -> Keys {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
