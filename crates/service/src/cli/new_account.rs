//! Creates an account with its test keys: for `tua account create`, and for the demo.

use super::arguments::parse_name;
use tua_domain::{
    Account, AccountId, Generation, Mode, Scope, SecretKey, audit::AuditContext, ports::Store,
};

/// A new account, and the only copy of its test keys.
#[derive(Debug)]
pub struct NewAccount {
    /// The id of the account.
    pub account: AccountId,
    /// The v1 test key.
    pub test_v1: String,
    /// The v2 test key.
    pub test_v2: String,
}

/// Creates an account with its two test keys.
///
/// # Errors
/// One line: the name is empty, too long or contains control characters, or the store failed.
pub async fn create(
    store: &dyn Store,
    name: &str,
    by: &AuditContext,
) -> Result<NewAccount, String> {
    let name = parse_name(name).map_err(|fault| format!("name: {fault}"))?;
    let now = by.at;
    let account = Account::new(name, now);
    let scope = Scope { account: account.id.clone(), mode: Mode::Test };
    let (v1, test_v1) = SecretKey::generate(scope.clone(), Generation::V1, now);
    let (v2, test_v2) = SecretKey::generate(scope, Generation::V2, now);
    let id = account.id.clone();
    store.create_account(account, vec![v1, v2], by).await.map_err(|error| error.to_string())?;
    Ok(NewAccount { account: id, test_v1, test_v2 })
}
