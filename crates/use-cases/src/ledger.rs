//! Reads and verifies the ledger.

use super::account_read_error::{AccountReadError, require_account};
use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    AccountId, Mode,
    ledger::{LedgerBalance, verification::LedgerVerification},
    ports::{self, StoreError},
};

/// The number of transactions that one read of the store returns.
const PAGE_ROWS: u32 = 1_000;

/// Reads and verifies the ledger.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Where postings are stored.
    pub ledger: Arc<dyn ports::Ledger>,
    /// Has the accounts whose balances are read.
    pub accounts: Arc<dyn ports::Accounts>,
}

impl Ledger {
    /// The balances at a time, of all accounts and modes or of one.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn balances(
        &self,
        until: Timestamp,
        account: Option<&AccountId>,
        mode: Option<Mode>,
    ) -> Result<Vec<LedgerBalance>, AccountReadError> {
        require_account(self.accounts.as_ref(), account).await?;
        let mut balances = self.ledger.ledger_balances(until).await?;
        balances.retain(|one| {
            account.is_none_or(|account| *account == one.scope.account)
                && mode.is_none_or(|mode| mode == one.scope.mode)
        });
        Ok(balances)
    }

    /// Compares the postings of every transaction with its state. A service may run meanwhile.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn verify(&self) -> Result<LedgerVerification, StoreError> {
        verify_ledger(self.ledger.as_ref()).await
    }
}

/// Compares the postings of every transaction with its state, and the kept sums of days with their
/// entries. A service may run meanwhile.
///
/// # Errors
/// Those of the store.
pub async fn verify_ledger(ledger: &dyn ports::Ledger) -> Result<LedgerVerification, StoreError> {
    let mut verification = LedgerVerification::default();
    let mut last = None;
    loop {
        let page = ledger.posted_transactions(last.as_ref(), PAGE_ROWS).await?;
        page.iter().for_each(|one| verification.add(one));
        match page.into_iter().next_back() {
            Some(one) => last = Some(one.transaction.order.id.clone()),
            None => break,
        }
    }
    verification.add_orphans(ledger.orphaned_entries().await?);
    verification.add_wrong_days(ledger.wrong_kept_days().await?);
    Ok(verification)
}
