//! Verifies the whole audit log.

use tua_domain::{
    audit::{AuditHead, AuditKey, AuditLogFault, AuditVerifier},
    ports::{AuditLog, StoreError},
};

/// The number of entries that one read returns.
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
    /// The log has a fault. This is the first one.
    Broken(AuditLogFault),
}

/// Verifies every entry and the end of the log.
///
/// # Errors
/// Those of the store.
pub async fn verify_audit_log(
    log: &dyn AuditLog,
    keys: &[AuditKey],
) -> Result<AuditLogState, StoreError> {
    let mut verification = AuditVerifier::new(keys);
    loop {
        let page = log.audit_entries(verification.verified(), PAGE_ROWS).await?;
        if let Err(broken) = page.iter().try_for_each(|entry| verification.next(entry)) {
            return Ok(AuditLogState::Broken(broken));
        }
        if page.is_empty() {
            // Another process may have appended an entry since: then there is a next page.
            let head = log.audit_head().await?.unwrap_or_default();
            if log.audit_entries(verification.verified(), 1).await?.is_empty() {
                return Ok(match verification.finish(&head) {
                    Ok(entries) => AuditLogState::Intact { entries, head },
                    Err(broken) => AuditLogState::Broken(broken),
                });
            }
        }
    }
}
