//! Accounts as the commands show them.

use super::output;
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
            created_at: output::time(account.created_at),
            suspended_at: account.suspended_at.map(output::time),
        }
    }

    pub(super) fn line(&self) -> String {
        let suspended =
            self.suspended_at.as_ref().map_or_else(String::new, |at| format!("  suspended {at}"));
        format!("{}  made {}  {}{suspended}", self.account_id, self.created_at, self.name)
    }
}
