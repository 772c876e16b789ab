//! Verifies the whole audit log.

use tua_domain::{
    audit::{AuditHead, AuditKey, AuditLogFault, AuditVerifier},
    ports::{Store, StoreError},
};

/// The number of entries that one read of the store returns.
const PAGE_ROWS: u32 = 1_000;

/// What the verification of the whole audit log has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AuditLogState {
    /// Every entry and the end of the log agree.
    Intact {
        /// The number of entries.
        entries: u64,
        /// The end of the log.
        head: AuditHead,
    },
    /// The first fault.
    Broken(AuditLogFault),
}

/// Verifies every entry and the end of the log.
///
/// # Errors
/// Those of the store.
pub async fn verify_audit_log(
    store: &dyn Store,
    keys: &[AuditKey],
) -> Result<AuditLogState, StoreError> {
    let mut verification = AuditVerifier::new(keys);
    loop {
        let page = store.audit_entries(verification.verified(), PAGE_ROWS).await?;
        if let Err(broken) = page.iter().try_for_each(|entry| verification.next(entry)) {
            return Ok(AuditLogState::Broken(broken));
        }
        if page.is_empty() {
            // Another process may have appended an entry since: then there is a next page.
            let head = store.audit_head().await?.unwrap_or_default();
            if store.audit_entries(verification.verified(), 1).await?.is_empty() {
                return Ok(match verification.finish(&head) {
                    Ok(entries) => AuditLogState::Intact { entries, head },
                    Err(broken) => AuditLogState::Broken(broken),
                });
            }
        }
    }
}
