//! An operator as `tua operator` prints it.

use super::output;
use serde::Serialize;
use tua_domain::{Mode, connected_operator::ConnectedOperator};
use tua_operators::configured::ConfiguredOperator;

/// An operator of the settings, or one that people connected in the dashboard.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct OperatorRow {
    name: String,
    source: Source,
    mode: &'static str,
    environment: &'static str,
    /// Where its API is, and the account at the operator. Null of one of the dashboard, where both
    /// are parts of its credentials.
    base_url: Option<String>,
    merchant: Option<String>,
    /// Whether it serves only payments that have begun with it.
    drain: bool,
    /// Of one of the settings null.
    connected: Option<Connected>,
}

/// Where an operator is configured.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Source {
    Settings,
    Dashboard,
}

/// What only an operator of the dashboard has.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Connected {
    id: String,
    /// The only account that it serves.
    account_id: String,
    connector: String,
    /// When a check accepted its credentials; null before.
    checked_at: Option<String>,
    /// When it was removed.
    removed_at: Option<String>,
}

impl OperatorRow {
    pub(super) fn of_settings(operator: &ConfiguredOperator) -> Self {
        Self {
            name: operator.pin.name.to_string(),
            source: Source::Settings,
            mode: operator.mode.as_str(),
            environment: operator.environment.as_str(),
            base_url: Some(operator.base_url.to_string()),
            merchant: Some(operator.merchant.clone()),
            drain: operator.is_draining,
            connected: None,
        }
    }

    pub(super) fn of_dashboard(operator: &ConnectedOperator) -> Self {
        let ConnectedOperator { id, account, name, connector, checked_at, retired_at, .. } =
            operator;
        Self {
            name: name.to_string(),
            source: Source::Dashboard,
            mode: Mode::Live.as_str(),
            environment: "production",
            base_url: None,
            merchant: None,
            drain: retired_at.is_some(),
            connected: Some(Connected {
                id: id.to_string(),
                account_id: account.to_string(),
                connector: connector.clone(),
                checked_at: checked_at.map(output::time),
                removed_at: retired_at.map(output::time),
            }),
        }
    }

    pub(super) fn line(&self) -> String {
        let Self { name, mode, environment, .. } = self;
        if let Some(Connected { id, account_id, connector, checked_at, removed_at }) =
            &self.connected
        {
            let state = match (removed_at, checked_at) {
                (Some(_), _) => ", removed",
                (None, None) => ", not checked",
                (None, Some(_)) => "",
            };
            return format!(
                "{name}  {mode} {environment}  {connector}  {id}  connected in the dashboard by \
                 {account_id}{state}"
            );
        }
        let merchant = self.merchant.as_deref().unwrap_or_default();
        let base_url = self.base_url.as_deref().unwrap_or_default();
        let drain = if self.drain { "  draining" } else { "" };
        format!("{name}  {mode} {environment}  {merchant}  {base_url}  of the settings{drain}")
    }
}
