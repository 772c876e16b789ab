//! The port for the audit log, and for the versions of the server key that it is chained with.

use super::StoreError;
use crate::{
    TransactionOrder,
    audit::{Action, AuditChange, AuditContext, AuditEntry, AuditHead, AuditKey},
    key_ring::RegisteredKey,
};
use async_trait::async_trait;
use std::fmt::Debug;

/// The audit part of the store. The administrative methods of [`super::Store`] and
/// [`super::Outbox`] append entries in the database transaction of their change.
#[async_trait]
pub trait AuditLog: Debug + Send + Sync + 'static {
    /// Appends an entry for a change that is not in the database.
    async fn append_audit(&self, change: AuditChange, by: &AuditContext) -> Result<(), StoreError>;
    /// Appends an entry for a charge, refund or payout that a person asks for.
    async fn append_request(
        &self,
        new: &TransactionOrder,
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// Entries after this number, oldest first, at most `limit`.
    async fn audit_entries(&self, after: u64, limit: u32) -> Result<Vec<AuditEntry>, StoreError>;
    /// The newest entry of this kind.
    async fn last_audit_entry(&self, action: Action) -> Result<Option<AuditEntry>, StoreError>;
    /// The end of the log. `None` before there is a server key, or where it was deleted.
    async fn audit_head(&self) -> Result<Option<AuditHead>, StoreError>;

    /// The versions of the server key, oldest first.
    async fn server_keys(&self) -> Result<Vec<RegisteredKey>, StoreError>;
    /// Registers the first version of the server key, and begins the audit log. Nothing if a key is
    /// registered.
    async fn register_first_key(
        &self,
        digest: [u8; 32],
        audit_key: &AuditKey,
    ) -> Result<(), StoreError>;
    /// Registers the next version of the server key. `false`, and nothing is changed, if it is
    /// registered already.
    async fn register_next_key(
        &self,
        next: RegisteredKey,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
}
