//! The operators and routes of the settings: `[operators.NAME]` and `[routes.live]`,
//! `[routes.test]`.

use super::{
    connection::{CALL_TIMEOUT, ConnectionParts, ConnectionSettings},
    connectors::{self, ConnectorSettings, Target},
    ended_networks::read_ended_networks,
    served_accounts::ServedAccounts,
    settings::{SettingsReader, is_loopback},
    statement_columns::StatementColumns,
    tariffs::{read_sum, read_tariffs, read_value},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use toml::{Table, Value};
use tua_contract::Network;
use tua_domain::{
    AccountId, Kind, Mode,
    routing::{
        EndedNetworks, OperatorEntry, OperatorFingerprint, OperatorName, OperatorPin, Operators,
        Routes,
    },
    tariff::Tariffs,
};
use url::Url;

/// Which of an operator's systems is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Environment {
    /// The one that moves money.
    Production,
    /// The operator's own test environment.
    Sandbox,
}

impl Environment {
    /// The name in the settings.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Sandbox => "sandbox",
        }
    }
}

/// The validated settings of one operator.
#[derive(Clone, Debug)]
pub struct ConfiguredOperator {
    /// Its name, and what tells it apart from others.
    pub pin: OperatorPin,
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
    fn served_accounts(&self) -> ServedAccounts {
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

/// The operators and routes of the settings, before anything is connected.
#[derive(Clone, Debug, Default)]
pub struct ConfiguredOperators {
    /// The operators, by name.
    pub operators: Vec<ConfiguredOperator>,
    /// The operators in order of preference, for each mode, network and direction.
    pub routes: Routes,
    /// The networks that have ended.
    pub ended: EndedNetworks,
}

impl ConfiguredOperators {
    /// Reads the tables `operators`, `routes` and `networks` of the settings file.
    ///
    /// # Errors
    /// Every fault, each as a sentence that names the setting.
    pub fn read(
        operators: Option<Table>,
        routes: Option<Table>,
        networks: Option<Table>,
    ) -> Result<Self, Vec<String>> {
        let mut configured = Self::default();
        let mut faults = Vec::new();
        match networks.map(read_ended_networks).transpose() {
            Ok(ended) => configured.ended = ended.unwrap_or_default(),
            Err(all) => faults.extend(all),
        }
        for (name, value) in operators.unwrap_or_default() {
            match read_operator(&name, value) {
                Ok(operator) => configured.operators.push(operator),
                Err(all) => faults.extend(all),
            }
        }
        let is_read = faults.is_empty();
        for (mode, value) in routes.unwrap_or_default() {
            let read = match (Mode::parse(&mode), value) {
                (Some(mode), Value::Table(table)) => {
                    read_routes(mode, table, &mut configured.routes)
                }
                _ => Err(vec![format!(
                    "routes.{mode}: there is no such table; there are routes.live and routes.test"
                )]),
            };
            faults.extend(read.err().unwrap_or_default());
        }
        // A route to an operator with faults is not a fault of its own.
        if is_read {
            faults.extend(configured.check_routes());
            faults.extend(configured.check_fingerprints());
        }
        if faults.is_empty() { Ok(configured) } else { Err(faults) }
    }

    /// Checks what depends on the service's public URL: a public service must not send live orders
    /// to loopback.
    #[must_use]
    pub fn check_base_urls(&self, public_url: &str) -> Vec<String> {
        if Url::parse(public_url).is_ok_and(|url| is_loopback(&url)) {
            return Vec::new();
        }
        let live = self.operators.iter().filter(|operator| operator.mode == Mode::Live);
        let local = live.filter(|operator| is_loopback(&operator.base_url));
        local
            .map(|operator| {
                let name = &operator.pin.name;
                format!(
                    "operators.{name}.base-url: {} is on a loopback address, but the public URL \
                     {public_url} is not; a live operator would not be real",
                    operator.base_url
                )
            })
            .collect()
    }

    /// Checks whom the operators of live mode serve. `accounts` are those with live keys.
    #[must_use]
    pub fn check_accounts(&self, accounts: &BTreeSet<AccountId>) -> Vec<String> {
        self.operators
            .iter()
            .filter_map(|operator| operator.served_accounts().fault(accounts))
            .collect()
    }

    /// Connects the operators.
    ///
    /// # Errors
    /// One line, if an HTTP client cannot be built.
    pub fn connect(
        &self,
        parts: &ConnectionParts,
        callback_url: impl Fn(&OperatorName) -> String,
    ) -> Result<Operators, String> {
        let connect = |operator: &ConfiguredOperator| -> Result<Arc<OperatorEntry>, String> {
            let connection = ConnectionSettings {
                operator: operator.pin.name.to_string(),
                base_url: operator.base_url.clone(),
                outbound_proxy: operator.outbound_proxy.clone(),
                reads_per_second: operator.connector.reads_per_second(),
                call_timeout: CALL_TIMEOUT,
            };
            let connected = operator.connector.connect(Target {
                environment: operator.environment,
                connection,
                has_own_base_url: operator.has_own_base_url,
                parts: parts.clone(),
                callback_url: callback_url(&operator.pin.name),
            })?;
            Ok(Arc::new(OperatorEntry {
                accounts: operator.accounts.clone(),
                is_draining: operator.is_draining,
                accepts_unverified_numbers: operator.accepts_unverified_numbers,
                tariffs: operator.tariffs.clone(),
                float_alert_below: operator.float_alert_below,
                ..OperatorEntry::new(operator.pin.clone(), operator.mode, connected)
            }))
        };
        let entries = self.operators.iter().map(connect).collect::<Result<_, String>>()?;
        Ok(Operators::new(entries, self.routes.clone()).with_ended_networks(self.ended))
    }

    fn check_routes(&self) -> Vec<String> {
        let mut faults: BTreeMap<String, ()> = BTreeMap::new();
        for ((mode, network, _), names) in &self.routes {
            let route = format!("routes.{}.{}", mode.as_str(), network.as_str());
            for name in names {
                match self.operators.iter().find(|operator| operator.pin.name == *name) {
                    None => faults.insert(format!("{route}: there is no operator {name}"), ()),
                    Some(operator) if operator.mode != *mode => faults.insert(
                        format!(
                            "{route}: the operator {name} serves {} mode",
                            operator.mode.as_str()
                        ),
                        (),
                    ),
                    Some(_) => None,
                };
            }
        }
        faults.into_keys().collect()
    }

    fn check_fingerprints(&self) -> Vec<String> {
        let is_twin = |(index, operator): &(usize, &ConfiguredOperator)| {
            self.operators[..*index]
                .iter()
                .any(|other| other.pin.fingerprint == operator.pin.fingerprint)
        };
        let twins = self.operators.iter().enumerate().filter(is_twin);
        twins
            .map(|(_, operator)| {
                let name = &operator.pin.name;
                format!(
                    "operators.{name}: another operator has the same connector, environment, \
                     base-url and merchant"
                )
            })
            .collect()
    }
}

fn read_operator(name: &str, value: Value) -> Result<ConfiguredOperator, Vec<String>> {
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
    let float_alert_below = read_value(&mut reader, "float-alert-below", read_sum).flatten();
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
            let pin = OperatorPin { name: named, fingerprint: OperatorFingerprint::of(&parts) };
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

/// Reads the routes of a mode: for each network a list for both directions, or a table with a list
/// for each.
fn read_routes(mode: Mode, table: Table, routes: &mut Routes) -> Result<(), Vec<String>> {
    let mut faults = Vec::new();
    for (network, value) in table {
        let route = format!("routes.{}.{network}", mode.as_str());
        let Some(network) = Network::parse(&network) else {
            faults.push(format!(
                "{route}: there is no such network; there are MTN, TELECEL and AIRTELTIGO"
            ));
            continue;
        };
        let by_kind: Vec<(Kind, Value)> = match value {
            Value::Table(mut table) => {
                let both = [("charge", Kind::Charge), ("payout", Kind::Payout)];
                let found = both
                    .into_iter()
                    .filter_map(|(key, kind)| Some((kind, table.remove(key)?)))
                    .collect();
                faults.extend(
                    table
                        .keys()
                        .map(|key| format!("{route}.{key}: there are only charge and payout")),
                );
                found
            }
            list => Kind::ALL.iter().map(|kind| (*kind, list.clone())).collect(),
        };
        let mut own = Vec::new();
        for (kind, value) in by_kind {
            match read_names(&value) {
                Ok(names) => drop(routes.insert((mode, network, kind), names)),
                Err(fault) => own.push(format!("{route}: {fault}")),
            }
        }
        own.dedup();
        faults.extend(own);
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn read_names(value: &Value) -> Result<Vec<OperatorName>, String> {
    const FORM: &str = "must be a list of operators' names such as [\"mtn\", \"paystack\"], in \
        order of preference";
    let names = value.as_array().filter(|names| !names.is_empty()).ok_or(FORM)?;
    let names = names.iter().map(|name| name.as_str().ok_or(FORM)?.parse());
    names.collect()
}
