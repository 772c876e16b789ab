//! Verifies the whole ledger.

use tua_domain::{
    ledger::verification::LedgerVerification,
    ports::{Store, StoreError},
};

/// The number of transactions that one read of the store returns.
const PAGE_ROWS: u32 = 1_000;

/// Compares the postings of every transaction with its state. A service may run meanwhile.
///
/// # Errors
/// Those of the store.
pub async fn verify_ledger(store: &dyn Store) -> Result<LedgerVerification, StoreError> {
    let mut verification = LedgerVerification::default();
    let mut last = None;
    loop {
        let page = store.posted_transactions(last.as_ref(), PAGE_ROWS).await?;
        page.iter().for_each(|one| verification.add(one));
        match page.into_iter().next_back() {
            Some(one) => last = Some(one.transaction.order.id.clone()),
            None => break,
        }
    }
    verification.add_orphans(store.orphaned_entries().await?);
    Ok(verification)
}
