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
    /// `live` or `test`.
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

    /// Whether any network has an operator for live charges.
    pub(super) fn can_charge_live(&self) -> bool {
        let end = format!(".{}", Kind::Charge.as_str());
        self.routes.keys().any(|route| route.starts_with("live.") && route.ends_with(&end))
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
