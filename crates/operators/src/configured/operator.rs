//! Reads the settings of one operator: `[operators.NAME]`.

use crate::{
    connector::ConnectorSettings,
    connectors,
    environment::Environment,
    settings::SettingsReader,
    statement_columns::StatementColumns,
    tariffs::{read_sum, read_tariffs, read_value},
};
use std::sync::Arc;
use toml::Value;
use tua_domain::{
    AccountId, Mode,
    routing::{OperatorFingerprint, OperatorName, PinnedOperator, ServedAccounts},
    tariff::Tariffs,
};
use url::Url;

/// The validated settings of one operator.
#[derive(Clone, Debug)]
pub struct ConfiguredOperator {
    /// Its name and its fingerprint.
    pub pin: PinnedOperator,
    /// The mode that it serves.
    pub mode: Mode,
    /// Which of its systems is called.
    pub environment: Environment,
    /// Where its API is.
    pub base_url: Url,
    /// Whether the settings name the base URL.
    pub has_own_base_url: bool,
    /// The account at the operator, a label of the settings.
    pub merchant: String,
    /// The accounts that it serves; `None` for all.
    pub accounts: Option<Vec<AccountId>>,
    /// Whether the settings declare that its accounts belong to one legal person.
    pub is_same_legal_person: bool,
    /// Whether it serves only payments that are pinned to it.
    pub is_draining: bool,
    /// Whether it may prompt numbers that are not verified.
    pub accepts_unverified_numbers: bool,
    /// An HTTP proxy for its calls.
    pub outbound_proxy: Option<Url>,
    /// Its fees by network and direction; empty where the settings state none.
    pub tariffs: Tariffs,
    /// Owners get an alert when the float is below this sum, in pesewas.
    pub float_alert_below: Option<i64>,
    /// How its statements are written.
    pub statement: StatementColumns,
    /// The connector with its own settings.
    pub connector: Arc<dyn ConnectorSettings>,
}

impl ConfiguredOperator {
    /// Whom it serves, as the check of accounts compares operators.
    pub(super) fn served_accounts(&self) -> ServedAccounts {
        ServedAccounts {
            name: self.pin.name.to_string(),
            mode: self.mode.as_str().to_owned(),
            accounts: self
                .accounts
                .as_ref()
                .map(|ids| ids.iter().map(ToString::to_string).collect()),
            same_legal_person: self.is_same_legal_person,
        }
    }
}

/// Reads `[operators.NAME]`.
///
/// # Errors
/// Every fault, each as a sentence that names the setting.
pub(super) fn read_operator(name: &str, value: Value) -> Result<ConfiguredOperator, Vec<String>> {
    let named: OperatorName =
        name.parse().map_err(|fault| vec![format!("operators.{name}: {fault}")])?;
    let Value::Table(table) = value else {
        return Err(vec![format!("operators.{name}: must be a table")]);
    };
    let mut reader = SettingsReader::new(format!("operators.{name}"), table);
    let kinds: Vec<_> = connectors::ALL.iter().map(|kind| (kind.name, *kind)).collect();
    let kind = reader.choice("connector", &kinds);
    let mode = reader.choice("mode", &[("live", Mode::Live), ("test", Mode::Test)]);
    let environments =
        [Environment::Production, Environment::Sandbox].map(|one| (one.as_str(), one));
    let environment = reader.choice("environment", &environments);
    let merchant = reader.required_text("merchant");
    let accounts = reader.list("accounts").map(|ids| ids.into_iter().map(AccountId::new).collect());
    let is_same_legal_person = reader.flag("same-legal-person");
    let is_draining = reader.flag("drain");
    let accepts_unverified_numbers = reader.flag("accept-unverified-numbers");
    let outbound_proxy = reader.url("outbound-proxy");
    let given = reader.url("base-url");
    let statement = StatementColumns::read(&mut reader);
    let tariffs = read_tariffs(&mut reader);
    let float_alert_below = read_value(&mut reader, "float-alert-below", read_sum).ok().flatten();
    if let (Some(Mode::Test), Some(Environment::Production), None) = (mode, environment, &given) {
        reader.fault("environment", "an operator of test mode must use its sandbox");
    }
    let (Some(kind), Some(environment)) = (kind, environment) else { return Err(reader.finish()) };
    let connector = (kind.read)(environment, &mut reader);
    let has_own_base_url = given.is_some();
    let default_base_url = || Url::parse(connector.as_ref()?.default_base_url(environment)).ok();
    let base_url = given.or_else(default_base_url);
    let faults = reader.finish();
    match (mode, merchant, connector, base_url) {
        (Some(mode), Some(merchant), Some(connector), Some(base_url)) if faults.is_empty() => {
            let parts = [
                kind.name,
                environment.as_str(),
                base_url.as_str().trim_end_matches('/'),
                &merchant,
            ];
            let pin = PinnedOperator { name: named, fingerprint: OperatorFingerprint::of(&parts) };
            Ok(ConfiguredOperator {
                pin,
                mode,
                environment,
                base_url,
                has_own_base_url,
                merchant,
                accounts,
                is_same_legal_person,
                is_draining,
                accepts_unverified_numbers,
                outbound_proxy,
                tariffs,
                float_alert_below,
                statement,
                connector,
            })
        }
        _ => Err(faults),
    }
}
