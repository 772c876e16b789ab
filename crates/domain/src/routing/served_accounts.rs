//! Whom an operator serves. An operator collects into one merchant's account, so by default it
//! serves one account of this service: collecting for others may need a licence
//! (docs/going-live.md).

use crate::{AccountId, Mode};
use std::collections::BTreeSet;

/// The accounts of one operator, as the settings have them, and as the audit log has the settings
/// of the last start.
#[derive(Clone, Debug)]
pub struct ServedAccounts {
    /// The operator's name, from `[operators.NAME]` of the settings.
    pub name: String,
    /// The mode that it serves, `live` or `test`.
    pub mode: String,
    /// The accounts; `None` for all.
    pub accounts: Option<Vec<String>>,
    /// Whether the settings declare that they belong to one legal person.
    pub same_legal_person: bool,
}

impl ServedAccounts {
    /// What is wrong where these accounts have live keys; `None` where nothing is.
    #[must_use]
    pub fn fault(&self, accounts: &BTreeSet<AccountId>) -> Option<String> {
        let name = &self.name;
        match &self.accounts {
            _ if self.mode != Mode::Live.as_str() => None,
            None if accounts.len() > 1 => Some(format!(
                "operators.{name}.accounts: {} accounts have live keys, so name those that this \
                 operator serves",
                accounts.len()
            )),
            Some(served) if served.len() > 1 && !self.same_legal_person => Some(format!(
                "operators.{name}.accounts: several accounts need same-legal-person = true \
                 (docs/going-live.md: collecting for others may need a licence)"
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_merchants_must_be_named_and_declared_to_be_one() {
        let live = |accounts: Option<&[&str]>, same_legal_person| ServedAccounts {
            name: "mtn".to_owned(),
            mode: "live".to_owned(),
            accounts: accounts.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect()),
            same_legal_person,
        };
        let accounts =
            |ids: &[&str]| ids.iter().map(|id| AccountId::new(*id)).collect::<BTreeSet<_>>();
        let one = accounts(&["acc_1"]);
        let two = accounts(&["acc_1", "acc_2"]);
        assert_eq!(live(None, false).fault(&one), None);
        assert!(live(None, true).fault(&two).is_some());
        assert_eq!(live(Some(&["acc_1"]), false).fault(&two), None);
        assert!(live(Some(&["acc_1", "acc_2"]), false).fault(&two).is_some());
        assert_eq!(live(Some(&["acc_1", "acc_2"]), true).fault(&two), None);
        assert_eq!(
            ServedAccounts { mode: "test".to_owned(), ..live(None, false) }.fault(&two),
            None
        );
    }
}
