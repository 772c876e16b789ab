//! Accounts as the commands show them.

use serde::Serialize;
use tua_domain::Account;

/// An account, as a line of text or as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AccountRow<'a> {
    account_id: &'a str,
    name: &'a str,
    created_at: String,
    suspended_at: Option<String>,
}

impl<'a> AccountRow<'a> {
    pub(super) fn new(account: &'a Account) -> Self {
        Self {
            account_id: account.id.as_str(),
            name: &account.name,
            created_at: account.created_at.to_string(),
            suspended_at: account.suspended_at.map(|at| at.to_string()),
        }
    }

    pub(super) fn line(&self) -> String {
        let suspended =
            self.suspended_at.as_ref().map_or_else(String::new, |at| format!("  suspended {at}"));
        format!("{}  made {}  {}{suspended}", self.account_id, self.created_at, self.name)
    }
}
