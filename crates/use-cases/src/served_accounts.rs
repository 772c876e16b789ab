//! The accounts whose money is at an operator.

use jiff::Timestamp;
use tua_domain::{
    AccountId,
    ports::{Store, StoreError},
    routing::OperatorEntry,
};

/// The accounts that an operator serves and that use its mode: those with a key of the mode that is
/// valid, or with a transaction in it. While there are none, all that it serves.
///
/// # Errors
/// Those of the store.
pub async fn served_accounts(
    store: &dyn Store,
    entry: &OperatorEntry,
    now: Timestamp,
) -> Result<Vec<AccountId>, StoreError> {
    let is_served =
        |account: &AccountId| entry.accounts.as_ref().is_none_or(|all| all.contains(account));
    let mut used = store.accounts_of_mode(entry.mode, now).await?;
    used.retain(is_served);
    if !used.is_empty() {
        return Ok(used);
    }
    match &entry.accounts {
        Some(accounts) => Ok(accounts.clone()),
        None => Ok(store.accounts().await?.into_iter().map(|account| account.id).collect()),
    }
}
