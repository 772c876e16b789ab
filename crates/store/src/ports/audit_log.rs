//! The [`AuditLog`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use tua_domain::{
    TransactionOrder,
    audit::{Action, AuditChange, AuditContext, AuditEntry, AuditHead, AuditKey},
    key_ring::RegisteredKey,
    ports::{AuditLog, StoreError},
};
use tua_sql::{audit_values, queries::audit};

both_engines! {
    impl AuditLog {
        async fn append_audit(
            &self,
            change: AuditChange,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (change, by.clone());
            self.write(InDoubt::Surface, input, async |db, (change, by)| {
                audit::append(db, by, change).await
            })
            .await
        }

        async fn append_request(
            &self,
            new: &TransactionOrder,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            self.append_audit(audit_values::payments::payment_requested(new), by).await
        }

        async fn audit_entries(
            &self,
            after: u64,
            limit: u32,
        ) -> Result<Vec<AuditEntry>, StoreError> {
            self.read_many((), async move |db, ()| audit::entries(db, after, limit).await).await
        }

        async fn last_audit_entry(
            &self,
            action: Action,
        ) -> Result<Option<AuditEntry>, StoreError> {
            self.read_many((), async move |db, ()| audit::last_of(db, action).await).await
        }

        async fn audit_head(&self) -> Result<Option<AuditHead>, StoreError> {
            self.read((), async |db, ()| audit::head(db).await).await
        }

        async fn server_keys(&self) -> Result<Vec<RegisteredKey>, StoreError> {
            self.read((), async |db, ()| audit::server_keys(db).await).await
        }

        async fn register_first_key(
            &self,
            digest: [u8; 32],
            audit_key: &AuditKey,
        ) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, audit_key.clone(), async move |db, audit_key| {
                audit::register_first_key(db, &digest, audit_key).await
            })
            .await
        }

        async fn register_next_key(
            &self,
            next: RegisteredKey,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Surface, (next, by.clone()), async |db, (next, by)| {
                audit::register_next_key(db, next, by).await
            })
            .await
        }
    }
}
