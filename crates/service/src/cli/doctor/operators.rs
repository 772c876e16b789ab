//! Checks the operators of live mode: that every network has one, that pending payments have
//! theirs, and with `--live` the settings at the operators themselves.

use super::report::Report;
use crate::cli::operator_connections::connect;
use std::collections::BTreeSet;
use tua_config::Config;
use tua_contract::Network;
use tua_domain::{
    AccountId, Kind, Mode, connected_operator::ConnectedOperator, routing::OperatorEntry,
};
use tua_metrics::StoreMetrics;
use tua_system::clock::SystemClock;
use tua_tables::export::columns::cedis;
use tua_use_cases::{MissingOperator, StoredOperators, UnservedPayments};

/// The operators that people connected. None where the database cannot be read, which the check of
/// pending payments reports.
pub(super) async fn connected(config: &Config) -> Vec<ConnectedOperator> {
    let opened = config.database.open(StoreMetrics::default()).await;
    let Ok(opened) = opened else { return Vec::new() };
    let operators = StoredOperators { store: opened.store };
    operators.list().await.unwrap_or_default()
}

/// Checks that every network has a route: of the settings, or of an account.
pub(super) fn check_routes(
    report: &mut Report,
    config: &Config,
    connected: &[ConnectedOperator],
    live_keys: &[AccountId],
    live: bool,
) {
    report.ok("test operator", "the sandbox, on every network without a route");
    let routes = &config.operators.routes;
    for network in Network::ALL {
        let name = network.as_str();
        if let Some(operators) = routes.get(&(Mode::Live, network, Kind::Charge)) {
            let names: Vec<&str> =
                operators.iter().map(tua_domain::routing::OperatorName::as_str).collect();
            report.ok("live operator", format!("{name}: {}", names.join(", then ")));
        } else if serving(connected, network) > 0 {
            let accounts = serving(connected, network);
            let message = format!("{name}: {accounts} connected in the dashboard");
            report.ok("live operator", message);
        } else if live {
            let remedy = "add it to [routes.live] of the settings (docs/going-live.md)";
            report.fault(
                "live operator",
                format!("no operator serves {name}: live payments get 503"),
                remedy,
            );
        } else if !live_keys.is_empty() {
            let keys = live_keys.len();
            let message = format!(
                "no operator serves {name}, and {keys} live keys exist: their payments get 503"
            );
            report.warning("live operator", message, "add it to [routes.live], or use test keys");
        }
    }
}

/// Checks that every account with a live key has an operator: its shop believes that it can be
/// paid.
pub(super) fn check_keys(
    report: &mut Report,
    config: &Config,
    connected: &[ConnectedOperator],
    live_keys: &[AccountId],
) {
    let accounts: BTreeSet<&AccountId> = live_keys.iter().collect();
    let has_own = |account: &AccountId| {
        connected.iter().any(|one| one.account == *account && one.routes.iter().next().is_some())
    };
    let is_unserved = |account: &&AccountId| !is_served(config, account) && !has_own(account);
    for account in accounts.into_iter().filter(is_unserved) {
        let keys = live_keys.iter().filter(|of| *of == account).count();
        let message = format!(
            "no operator serves {account}, which has {keys} live keys: every payment gets 503"
        );
        let remedy = "add an operator that serves it to [routes.live], connect one in the \
            dashboard, or revoke the keys with `tua key revoke`";
        report.fault("live keys", message, remedy);
    }
}

/// How many connected operators serve the charges of a network.
fn serving(connected: &[ConnectedOperator], network: Network) -> usize {
    connected.iter().filter(|one| one.routes.has(network, Kind::Charge)).count()
}

/// Whether a route of live mode leads to an operator that serves this account.
fn is_served(config: &Config, account: &AccountId) -> bool {
    let routes = config.operators.routes.iter().filter(|((mode, ..), _)| *mode == Mode::Live);
    let mut names = routes.flat_map(|(_, names)| names);
    names.any(|name| {
        let operator =
            config.operators.operators.iter().find(|operator| operator.pin.name == *name);
        operator.is_some_and(|operator| {
            !operator.is_draining
                && operator.accounts.as_ref().is_none_or(|served| served.contains(account))
        })
    })
}

/// Checks that the settings have the operator of every pending payment. The database must exist.
pub(super) async fn check_pending(report: &mut Report, config: &Config) {
    const CHECK: &str = "pending payments";
    let missing = async {
        let store = config.database.open(StoreMetrics::default()).await?.store;
        let operators = StoredOperators { store: store.clone() };
        let connected = operators.list().await.map_err(|error| error.to_string())?;
        let connected = connected.iter().map(|operator| operator.pin().fingerprint);
        let of_settings = config.operators.operators.iter();
        let known: Vec<_> =
            of_settings.map(|operator| operator.pin.fingerprint.clone()).chain(connected).collect();
        let missing = UnservedPayments::missing_operators(store.as_ref(), &known).await;
        missing.map_err(|error| error.to_string())
    };
    match missing.await {
        Err(fault) => report.fault(CHECK, fault, "check the database"),
        Ok(operators) => {
            for MissingOperator { name, payments } in operators {
                let message = format!(
                    "{payments} wait for the operator {name}, which the settings no longer have"
                );
                let remedy = "put it back with its connector, environment, base-url and merchant, \
                    and drain = true";
                report.fault(CHECK, message, remedy);
            }
        }
    }
}

/// Checks the settings at every operator, without moving money.
pub(super) async fn check_connections(report: &mut Report, config: &Config) {
    let operators = match connect(config).await {
        Ok((operators, _)) => operators,
        Err(fault) => {
            return report.fault("operators", fault.into_message(), "correct the settings");
        }
    };
    for entry in operators.entries() {
        let name = entry.pin.name.as_str();
        for result in entry.operator.check().await {
            let message = |finding: &str| format!("{name}: {}: {finding}", result.name);
            match &result.outcome {
                Ok(finding) => report.ok("operator", message(finding)),
                Err(finding) => report.fault(
                    "operator",
                    message(finding),
                    format!("see `tua operator check {name}`"),
                ),
            }
        }
        check_float(report, &entry).await;
    }
}

/// Compares the float at an operator with the sum of the settings, where they have one.
async fn check_float(report: &mut Report, entry: &OperatorEntry) {
    const CHECK: &str = "float";
    let Some(least) = entry.float_alert_below else { return };
    let name = entry.pin.name.as_str();
    let least_text = cedis(least);
    match entry.read_balances(&SystemClock).await.map(|reading| reading.float_pesewas()) {
        Ok(Some(float)) if float >= least => {
            report.ok(CHECK, format!("{name}: GHS {}", cedis(float)))
        }
        Ok(Some(float)) => {
            let message = format!(
                "{name}: GHS {}, which is below float-alert-below = \"{least_text}\"",
                cedis(float)
            );
            report.warning(CHECK, message, "pay in at the operator");
        }
        Ok(None) => {
            let message = format!(
                "{name}: the operator reports no balance in GHS from which payouts are paid"
            );
            report.warning(CHECK, message, "remove float-alert-below");
        }
        Err(fault) => report.warning(
            CHECK,
            format!("{name}: {fault}"),
            format!("see `tua operator balance {name}`"),
        ),
    }
}
