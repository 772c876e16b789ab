//! The accounts whose money is at an operator.

use jiff::Timestamp;
use tua_domain::{
    AccountId,
    ports::{self, Reports, StoreError},
    routing::OperatorEntry,
};

/// The accounts that an operator serves and that use its mode: those with a key of the mode that is
/// valid, or with a transaction in it. While there are none, all that it serves.
pub(super) async fn served_accounts(
    reports: &dyn Reports,
    accounts: &dyn ports::Accounts,
    entry: &OperatorEntry,
    now: Timestamp,
) -> Result<Vec<AccountId>, StoreError> {
    let is_served =
        |account: &AccountId| entry.accounts.as_ref().is_none_or(|all| all.contains(account));
    let mut used = reports.accounts_of_mode(entry.mode, now).await?;
    used.retain(is_served);
    if !used.is_empty() {
        return Ok(used);
    }
    match &entry.accounts {
        Some(accounts) => Ok(accounts.clone()),
        None => Ok(accounts.accounts().await?.into_iter().map(|account| account.id).collect()),
    }
}
