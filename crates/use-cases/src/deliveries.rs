//! Sends failed webhook deliveries again.

use tua_domain::{
    audit::AuditContext,
    ports::{DeliveryFilter, Store, StoreError},
    webhook::delivery::DeliveryStatus,
};

/// How many deliveries one call sends again.
const RESENT_AT_ONCE: u32 = 1_000;

/// Makes the failed deliveries of this filter due again, the newest 1,000 at most. Returns how many
/// these were.
///
/// # Errors
/// Those of the store. Some deliveries may be due again then.
pub async fn resend_failed(
    store: &dyn Store,
    filter: DeliveryFilter,
    by: &AuditContext,
) -> Result<usize, StoreError> {
    let failed =
        DeliveryFilter { status: Some(DeliveryStatus::Failed), limit: RESENT_AT_ONCE, ..filter };
    let mut resent = 0;
    for delivery in store.deliveries(failed).await? {
        resent += usize::from(store.replay_delivery(&delivery.id, by).await?.is_some());
    }
    Ok(resent)
}
