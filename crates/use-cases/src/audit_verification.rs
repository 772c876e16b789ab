//! Verifies the whole audit log.

use tua_domain::{
    audit::{AuditHead, AuditKey, Broken, Verification},
    ports::{Store, StoreError},
};

/// The number of entries that one read of the store returns.
const PAGE: u32 = 1_000;

/// Verifies every entry and the end of the log. Returns the number of entries and the end, or what
/// is wrong.
///
/// # Errors
/// Those of the store.
pub async fn verify_audit_log(
    store: &dyn Store,
    keys: &[AuditKey],
) -> Result<Result<(u64, AuditHead), Broken>, StoreError> {
    let mut verification = Verification::new(keys);
    loop {
        let page = store.audit_entries(verification.verified(), PAGE).await?;
        if let Err(broken) = page.iter().try_for_each(|entry| verification.next(entry)) {
            return Ok(Err(broken));
        }
        if page.is_empty() {
            // Another process may have appended an entry since: then there is a next page.
            let head = store.audit_head().await?.unwrap_or_default();
            if store.audit_entries(verification.verified(), 1).await?.is_empty() {
                return Ok(verification.finish(&head).map(|entries| (entries, head)));
            }
        }
    }
}
