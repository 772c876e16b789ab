//! The operators and routes of the settings: `[operators.NAME]` and `[routes.live]`,
//! `[routes.test]`.

mod operator;
mod routes;

use super::{
    connection::{CALL_TIMEOUT, ConnectionParts, ConnectionSettings},
    connector::Target,
    ended_networks::read_ended_networks,
    settings::is_loopback,
};
pub use operator::ConfiguredOperator;
use operator::read_operator;
use routes::read_routes;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use toml::{Table, Value};
use tua_domain::{
    AccountId, Mode,
    routing::{EndedNetworks, OperatorEntry, OperatorName, Operators, Routes},
};
use url::Url;

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
