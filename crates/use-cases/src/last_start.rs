//! The operators of the service's last start, as its audit log has them: what a command or a page
//! knows of them without the settings.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use tua_domain::{
    AccountId, Kind,
    audit::Action,
    ports::{AuditLog, StoreError},
    routing::ServedAccounts,
};

/// The operators and live routes of the last start.
#[derive(Debug, Default, Deserialize)]
pub(super) struct LastStart {
    /// Whom each operator serves.
    #[serde(default)]
    operators: Vec<LastOperator>,
    #[serde(default)]
    routes: BTreeMap<String, Vec<String>>,
}

/// An operator, as the settings in the audit log have it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LastOperator {
    name: String,
    /// The mode in which it ran, `live` or `test`.
    mode: String,
    accounts: Option<Vec<String>>,
    same_legal_person: bool,
}

impl LastStart {
    /// The operators of the last start; none if the service was never started.
    pub(super) async fn read(log: &dyn AuditLog) -> Result<Self, StoreError> {
        let last = log.last_audit_entry(Action::SettingsChanged).await?;
        let settings = last.and_then(|entry| entry.after);
        Ok(settings.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Whether any network has an operator for live charges of this account.
    pub(super) fn can_charge_live(&self, account: &AccountId) -> bool {
        let end = format!(".{}", Kind::Charge.as_str());
        let mut charges = self
            .routes
            .iter()
            .filter(|(route, _)| route.starts_with("live.") && route.ends_with(&end));
        charges.any(|(_, names)| names.iter().any(|name| self.serves(name, account)))
    }

    /// Whether an operator serves an account. One that is not limited to accounts serves all.
    fn serves(&self, name: &str, account: &AccountId) -> bool {
        let operator = self.operators.iter().find(|one| one.name == name);
        operator
            .and_then(|one| one.accounts.as_ref())
            .is_none_or(|accounts| accounts.iter().any(|served| served == account.as_str()))
    }

    /// What is wrong where these accounts have live keys; `None` where nothing is.
    pub(super) fn fault(&self, accounts: &BTreeSet<AccountId>) -> Option<String> {
        self.operators.iter().find_map(|one| one.served_accounts().fault(accounts))
    }
}

impl LastOperator {
    fn served_accounts(&self) -> ServedAccounts {
        ServedAccounts {
            name: self.name.clone(),
            mode: self.mode.clone(),
            accounts: self.accounts.clone(),
            same_legal_person: self.same_legal_person,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_operator_that_is_limited_to_accounts_serves_no_other_account() {
        let operator = |name: &str, accounts: Option<&str>| {
            json!({
                "name": name,
                "mode": "live",
                "accounts": accounts.map(|id| [id]),
                "sameLegalPerson": false,
            })
        };
        let last = |operators: &[serde_json::Value], routes: serde_json::Value| {
            let settings = json!({ "operators": operators, "routes": routes });
            serde_json::from_value::<LastStart>(settings).unwrap()
        };
        let one = AccountId::new("acc_1");
        let other = AccountId::new("acc_2");
        let limited = [operator("mtn", Some("acc_1"))];
        let of_one = last(&limited, json!({ "live.MTN.CHARGE": ["mtn"] }));
        assert!(of_one.can_charge_live(&one) && !of_one.can_charge_live(&other));
        let both = [operator("mtn", Some("acc_1")), operator("hubtel", None)];
        let of_all = last(&both, json!({ "live.MTN.CHARGE": ["mtn", "hubtel"] }));
        assert!(of_all.can_charge_live(&other));
        for route in ["live.MTN.PAYOUT", "test.MTN.CHARGE"] {
            let routes = json!({ route: ["mtn"] });
            assert!(!last(&limited, routes).can_charge_live(&one), "{route}");
        }
    }
}
