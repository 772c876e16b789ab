//! `tua operator`: the operators of the settings and of the dashboard, whether their credentials
//! work, and the merchant's money at them.

use super::{
    context::{Common, is_absent, open_existing_database},
    fault::Fault,
    named_operator::find_named,
    operator_row::OperatorRow,
    output,
    severity::Severity,
};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::{path::PathBuf, process::ExitCode};
use tua_config::{Config, RawSettings, settings_audit::payer_origin_of_last_start};
use tua_domain::{
    ports::Balance,
    routing::{KnownFloat, OperatorEntry},
};
use tua_system::clock::SystemClock;
use tua_tables::export::columns::cedis;
use tua_use_cases::{OperatorFloats, StoredOperators};

/// The exit code if a check found a fault.
const FAULTS: u8 = 1;

#[derive(Args, Debug)]
pub(super) struct OperatorCommand {
    /// The settings file with the operators
    #[arg(long, global = true, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The public URL of the service, for the addresses of callbacks [default: that of the settings
    /// file, otherwise that of the last start]
    #[arg(long, global = true, env = "TUA_PUBLIC_URL", value_name = "URL")]
    public_url: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the operators of the settings, and those that people connected in the dashboard
    List,
    /// Show an operator: what it serves, its limits, and the address for its callbacks
    Show {
        /// Its name, or of one of the dashboard its id (opr_…)
        name: String,
    },
    /// Check credentials and settings at the operator, without moving money; exit code 1 on faults
    Check {
        /// Its name, or of one of the dashboard its id (opr_…)
        name: String,
    },
    /// Show the merchant's money at the operator
    Balance {
        /// Its name, or of one of the dashboard its id (opr_…)
        name: String,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OperatorView {
    #[serde(flatten)]
    operator: OperatorRow,
    callback_url: String,
    services: Vec<Service>,
    refuses_repeated_references: bool,
    never_received_is_final_after_seconds: Option<u64>,
}

#[derive(Serialize)]
struct Service {
    network: &'static str,
    r#type: &'static str,
    min: String,
    max: String,
}

#[derive(Serialize)]
struct CheckRow {
    check: String,
    severity: Severity,
    message: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BalanceRow {
    account: String,
    amount: String,
    currency: String,
}

/// The merchant's money at an operator.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BalancesView {
    balances: Vec<BalanceRow>,
    /// What pays payouts, in GHS. Null where the operator reports none.
    payout_float: Option<FloatView>,
}

#[derive(Serialize)]
struct FloatView {
    reported: String,
    /// The part that is for payouts which are approved and not sent.
    reserved: String,
    available: String,
}

impl OperatorCommand {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        let flags = RawSettings { public_url: self.public_url, ..RawSettings::default() };
        let config = Config::resolve(flags, common.database.clone(), self.config.as_deref());
        let config = config.map_err(|faults| faults.join("; "))?;
        match self.command {
            Command::List => list(&common, &config).await.map(|()| ExitCode::SUCCESS),
            Command::Show { name } => {
                show(&common, &config, &name).await.map(|()| ExitCode::SUCCESS)
            }
            Command::Check { name } => check(&common, &config, &name).await,
            Command::Balance { name } => {
                balance(&common, &config, &name).await.map(|()| ExitCode::SUCCESS)
            }
        }
    }
}

async fn list(common: &Common, config: &Config) -> Result<(), Fault> {
    let operators = config.operators.operators.iter();
    let mut listed: Vec<OperatorRow> = operators.map(OperatorRow::of_settings).collect();
    if is_absent(&config.database) {
        eprintln!(
            "tua: there is no database {} yet; only operators of the settings are listed",
            config.database
        );
    } else {
        let store = open_existing_database(config.database.clone()).await?;
        let connected = StoredOperators { store }.list().await?;
        listed.extend(connected.iter().map(OperatorRow::of_dashboard));
    }
    output::print_list(common, &listed, OperatorRow::line, "There are no operators.")
}

async fn show(common: &Common, config: &Config, name: &str) -> Result<(), Fault> {
    let store = open_existing_database(config.database.clone()).await?;
    let keys = config.open_key_ring(store.as_ref()).await?;
    let operators = StoredOperators { store: store.clone() };
    let named = find_named(config, &operators, name).await?;
    // Without a setting, that of the last start of the service.
    let public_url = match config.configured_public_url() {
        Some(public_url) => public_url.to_string(),
        None => match payer_origin_of_last_start(store.as_ref()).await? {
            Some(origin) => origin,
            None => config.public_url_at(&config.listen)?.to_string(),
        },
    };
    let entry = named.connect(config, store, &keys).await?;
    let capabilities = entry.operator.capabilities();
    let service = |one: &tua_domain::capabilities::Service| Service {
        network: one.network.as_str(),
        r#type: one.kind.as_str(),
        min: one.amounts.start().to_string(),
        max: one.amounts.end().to_string(),
    };
    let shown = OperatorView {
        operator: named.row(),
        callback_url: named.callback_url(&public_url, &keys),
        services: capabilities.services.iter().map(service).collect(),
        refuses_repeated_references: capabilities.refuses_repeats,
        never_received_is_final_after_seconds: capabilities
            .never_received_is_final_after
            .map(|time| time.as_secs()),
    };
    let services = shown.services.iter();
    let services = services
        .map(|one| format!("{} {} GHS {} to {}", one.network, one.r#type, one.min, one.max));
    let text = format!(
        "{}\ncallbacks: {}\n{}",
        shown.operator.line(),
        shown.callback_url,
        services.collect::<Vec<_>>().join("\n")
    );
    output::print(common, &shown, &text)
}

async fn check(common: &Common, config: &Config, name: &str) -> Result<ExitCode, Fault> {
    let store = open_existing_database(config.database.clone()).await?;
    let keys = config.open_key_ring(store.as_ref()).await?;
    let operators = StoredOperators { store: store.clone() };
    let named = find_named(config, &operators, name).await?;
    let checked = checks(&*named.connect(config, store, &keys).await?).await;
    let line =
        |one: &CheckRow| format!("{:<7} {}: {}", one.severity.as_str(), one.check, one.message);
    output::print_list(common, &checked, line, "There is nothing to check.")?;
    let has_faults = checked.iter().any(|one| one.severity == Severity::Fault);
    Ok(if has_faults { ExitCode::from(FAULTS) } else { ExitCode::SUCCESS })
}

async fn checks(entry: &OperatorEntry) -> Vec<CheckRow> {
    let checks = entry.operator.check().await.into_iter();
    let checks = checks.map(|result| match result.outcome {
        Ok(message) => CheckRow { check: result.name, severity: Severity::Ok, message },
        Err(message) => CheckRow { check: result.name, severity: Severity::Fault, message },
    });
    checks.collect()
}

async fn balance(common: &Common, config: &Config, name: &str) -> Result<(), Fault> {
    let store = open_existing_database(config.database.clone()).await?;
    let keys = config.open_key_ring(store.as_ref()).await?;
    let operators = StoredOperators { store: store.clone() };
    let named = find_named(config, &operators, name).await?;
    let entry = named.connect(config, store.clone(), &keys).await?;
    let reading = entry.read_balances(&SystemClock).await;
    let reading = reading.map_err(|error| format!("operator {name}: {error}"))?;
    let float = OperatorFloats::known_at(store.as_ref(), &entry).await?.map(FloatView::from);
    let shown = BalancesView {
        balances: reading.balances.into_iter().map(BalanceRow::from).collect(),
        payout_float: float,
    };
    output::print(common, &shown, &shown.text())
}

impl BalancesView {
    fn text(&self) -> String {
        let mut lines: Vec<String> = self
            .balances
            .iter()
            .map(|one| format!("{}  {} {}", one.account, one.currency, one.amount))
            .collect();
        if lines.is_empty() {
            lines.push("The operator reports no balance.".to_owned());
        }
        if let Some(float) = &self.payout_float {
            lines.push(format!(
                "for payouts: GHS {}, of which GHS {} are for payouts that are approved and not \
                 sent; GHS {} are left",
                float.reported, float.reserved, float.available
            ));
        }
        lines.join("\n")
    }
}

impl From<KnownFloat> for FloatView {
    fn from(float: KnownFloat) -> Self {
        Self {
            reported: cedis(float.reported_pesewas),
            reserved: cedis(float.reserved_pesewas),
            available: cedis(float.available_pesewas()),
        }
    }
}

impl From<Balance> for BalanceRow {
    fn from(balance: Balance) -> Self {
        Self {
            account: balance.account,
            amount: cedis(balance.minor_units),
            currency: balance.currency,
        }
    }
}
