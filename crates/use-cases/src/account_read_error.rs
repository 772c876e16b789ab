//! Why nothing of an account was read.

use tua_domain::{
    AccountId,
    ports::{Accounts, StoreError},
};

/// Why nothing of an account was read.
#[derive(Debug, thiserror::Error)]
pub enum AccountReadError {
    /// There is no account with this id.
    #[error("account: there is no account {0}")]
    NoAccount(AccountId),
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Fails if an account is named and does not exist.
pub(super) async fn require_account(
    accounts: &dyn Accounts,
    account: Option<&AccountId>,
) -> Result<(), AccountReadError> {
    let Some(account) = account else { return Ok(()) };
    match accounts.account(account).await? {
        Some(_) => Ok(()),
        None => Err(AccountReadError::NoAccount(account.clone())),
    }
}
