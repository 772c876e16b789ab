//! The accounts and modes that a person chose to read.

use tua_domain::{
    AccountId, Mode, Scope,
    ports::{Accounts, StoreError},
};

/// The accounts and modes of a choice, oldest account first, live mode before test mode; `None`
/// stands for all.
pub(super) async fn chosen_scopes(
    accounts: &dyn Accounts,
    account: Option<AccountId>,
    mode: Option<Mode>,
) -> Result<Vec<Scope>, StoreError> {
    let accounts = match account {
        Some(account) => vec![account],
        None => accounts.accounts().await?.into_iter().map(|account| account.id).collect(),
    };
    let modes: Vec<Mode> = [Mode::Live, Mode::Test]
        .into_iter()
        .filter(|one| mode.is_none_or(|mode| mode == *one))
        .collect();
    let scopes = |account: AccountId| {
        modes.iter().map(move |mode| Scope { account: account.clone(), mode: *mode })
    };
    Ok(accounts.into_iter().flat_map(scopes).collect())
}
