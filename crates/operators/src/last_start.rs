//! The operators of the service's last start, as its audit log has them: what a command or a page
//! knows of them without the settings.

use crate::served_accounts::ServedAccounts;
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::BTreeMap;
use tua_domain::{AccountId, Kind, account::accounts_with_live_keys, audit::Action, ports::Store};

/// The operators and live routes of the last start.
#[derive(Debug, Default, Deserialize)]
struct LastOperators {
    /// Whom each operator serves.
    #[serde(default)]
    operators: Vec<ServedAccounts>,
    #[serde(default)]
    routes: BTreeMap<String, Vec<String>>,
}

impl LastOperators {
    /// Whether any network has an operator for live charges.
    fn can_charge_live(&self) -> bool {
        let end = format!(".{}", Kind::Charge.as_str());
        self.routes.keys().any(|route| route.starts_with("live.") && route.ends_with(&end))
    }
}

/// The operators of the last start of the service; none if it was never started.
async fn last_operators(store: &dyn Store) -> Result<LastOperators, String> {
    let last =
        store.last_audit_entry(Action::SettingsChanged).await.map_err(|error| error.to_string())?;
    let settings = last.and_then(|entry| entry.after);
    Ok(settings.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// Refuses a live key that would make the next start of the service fail. Returns whether any
/// network has an operator for live charges.
///
/// # Errors
/// One line: an operator does not serve the account together with the others, or the store failed.
pub async fn check_live_key(
    store: &dyn Store,
    account: &AccountId,
    now: Timestamp,
) -> Result<bool, String> {
    let last = last_operators(store).await?;
    let keys = store.keys(None).await.map_err(|error| error.to_string())?;
    let mut accounts = accounts_with_live_keys(&keys, now);
    accounts.insert(account.clone());
    match last.operators.iter().find_map(|operator| operator.fault(&accounts)) {
        Some(fault) => Err(format!("key: with it the service would not start again: {fault}")),
        None => Ok(last.can_charge_live()),
    }
}
