//! The accent colour and the logo of an account.

use std::sync::Arc;
use tua_domain::{
    AccountId,
    audit::AuditContext,
    branding::{BrandingChange, LogoName},
    ports::{AccountChange, Accounts, StoreError},
};

/// Reads logos, and changes how the pages for payers of an account look.
#[derive(Clone, Debug)]
pub struct Branding {
    /// Has the accounts and their logos.
    pub accounts: Arc<dyn Accounts>,
}

impl Branding {
    /// Changes the colour or the logo of an account, which is audited.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn change(
        &self,
        account: &AccountId,
        change: BrandingChange,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let change = AccountChange::Brand(change);
        self.accounts.change_account(account, change, by).await.map(drop)
    }

    /// The PNG file of a logo; `None` if no account has it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn logo(&self, name: &LogoName) -> Result<Option<Vec<u8>>, StoreError> {
        self.accounts.logo(name).await
    }
}
