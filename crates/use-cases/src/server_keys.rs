//! Registers versions of the server key (docs/reference/credentials.md, "Server key").

use std::sync::Arc;
use tua_domain::{
    audit::AuditContext,
    key_ring::RegisteredKey,
    ports::{AuditLog, StoreError},
    secret::ServerKey,
};

/// Registers versions of the server key.
#[derive(Clone, Debug)]
pub struct ServerKeys {
    /// Has the versions, with which it is chained.
    pub audit_log: Arc<dyn AuditLog>,
}

/// Why a version was not registered.
#[derive(Debug, thiserror::Error)]
pub enum RegisterKeyError {
    /// Another process has registered this version at the same time.
    #[error("version {0} was made by another command at the same time")]
    VersionTaken(u32),
    /// The store failed. The variant of [`StoreError`] shows whether the version may have been
    /// registered.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ServerKeys {
    /// Registers a new key as the next version, and returns the version.
    ///
    /// # Errors
    /// [`RegisterKeyError`].
    pub async fn register_next(
        &self,
        new: &ServerKey,
        by: &AuditContext,
    ) -> Result<u32, RegisterKeyError> {
        let registered = self.audit_log.server_keys().await?;
        let version = registered.last().map_or(1, |last| last.version + 1);
        let next = RegisteredKey { version, digest: new.digest() };
        if self.audit_log.register_next_key(next, by).await? {
            Ok(version)
        } else {
            Err(RegisterKeyError::VersionTaken(version))
        }
    }
}
