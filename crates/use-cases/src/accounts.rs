//! Creates, reads and changes accounts.

use super::account_read_error::AccountReadError;
use std::sync::Arc;
use tua_domain::{
    Account, AccountId, Generation, Mode, Scope, SecretKey,
    audit::AuditContext,
    ports::{self, AccountChange, StoreError},
};

/// Creates, reads and changes the accounts of merchants.
#[derive(Clone, Debug)]
pub struct Accounts {
    /// Where accounts are stored.
    pub accounts: Arc<dyn ports::Accounts>,
}

/// A new account, and the only copy of its test keys. `Debug` hides the keys.
pub struct NewAccount {
    /// The id of the account.
    pub account: AccountId,
    /// The v1 test key.
    pub test_v1: String,
    /// The v2 test key.
    pub test_v2: String,
}

impl std::fmt::Debug for NewAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewAccount").field("account", &self.account).finish_non_exhaustive()
    }
}

impl Accounts {
    /// Creates an account with its two test keys.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn create(&self, name: String, by: &AuditContext) -> Result<NewAccount, StoreError> {
        let account = Account::new(name, by.at);
        let id = account.id.clone();
        let scope = Scope { account: id.clone(), mode: Mode::Test };
        let (v1, test_v1) = SecretKey::generate(scope.clone(), Generation::V1, by.at);
        let (v2, test_v2) = SecretKey::generate(scope, Generation::V2, by.at);
        self.accounts.create_account(account, vec![v1, v2], by).await?;
        Ok(NewAccount { account: id, test_v1, test_v2 })
    }

    /// The account with this id, also a suspended one.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn existing(&self, id: &AccountId) -> Result<Account, AccountReadError> {
        self.accounts.account(id).await?.ok_or_else(|| AccountReadError::NoAccount(id.clone()))
    }

    /// All accounts, oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self) -> Result<Vec<Account>, StoreError> {
        self.accounts.accounts().await
    }

    /// Changes an account, and returns it as it now is; `None` if there is none with this id.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn change(
        &self,
        id: &AccountId,
        change: AccountChange,
        by: &AuditContext,
    ) -> Result<Option<Account>, StoreError> {
        self.accounts.change_account(id, change, by).await
    }
}
