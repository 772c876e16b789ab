//! `tua statement fetch`.

use super::import::import;
use crate::cli::{
    arguments::parse_day,
    context::{Common, open_existing_database},
    fault::Fault,
    operator_connections::{connect_with, find_operator, settings_operator},
    output,
    use_cases::UseCases,
};
use clap::Args;
use jiff::civil::Date;
use std::{path::PathBuf, time::Duration};
use tua_config::{Config, RawSettings};
use tua_domain::{ports::Clock, routing::OperatorName, statement::period::StatementPeriod};
use tua_system::clock::SystemClock;
use tua_tables::statement_file::{FileDays, StatementSource};
use tua_use_cases::statement_fetch::fetch_statement;

/// How long the operator may take to make the statement.
const TIME_LIMIT: Duration = Duration::from_secs(10 * 60);

#[derive(Args, Debug)]
pub(crate) struct Fetch {
    /// The operator's name in the settings
    #[arg(long, value_name = "NAME")]
    operator: OperatorName,
    /// The settings file with the operators, and the columns of their statements
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The public URL of the service, for the addresses of callbacks [default: that of the settings
    /// file]
    #[arg(long, env = "TUA_PUBLIC_URL", value_name = "URL")]
    public_url: Option<String>,
    /// The first day, in UTC, such as 2026-01-01
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    from: Date,
    /// The last day, in UTC; at most 31 days
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    to: Date,
}

impl Fetch {
    pub(super) async fn run(self, common: &Common) -> Result<(), Fault> {
        let period = StatementPeriod::new(self.from, self.to, SystemClock.now());
        let period = period.map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            format!("--from {} --to {}: {}", self.from, self.to, faults.join("; "))
        })?;
        let flags = RawSettings { public_url: self.public_url, ..RawSettings::default() };
        let config = Config::resolve(flags, common.database.clone(), self.config.as_deref());
        let config = config.map_err(|faults| faults.join("; "))?;
        let configured = find_operator(&config, self.operator.as_str())?;
        let use_cases = UseCases::new(open_existing_database(config.database.clone()).await?);
        let keys = use_cases.key_ring_of(&config).await?;
        let operators = connect_with(&config, &keys)?;
        let operator = settings_operator(&operators, self.operator.as_str())?;
        let with_context =
            |fault: &dyn std::fmt::Display| format!("operator {}: {fault}", self.operator);
        let file = fetch_statement(operator, &period, TIME_LIMIT)
            .await
            .map_err(|error| with_context(&error))?;
        let refused =
            |fault: &dyn std::fmt::Display| with_context(&format!("its statement: {fault}"));
        let source = StatementSource::read(&file[..], &configured.statement)
            .map_err(|fault| refused(&fault))?;
        let days = FileDays { covers: Some((self.from, self.to)), ..FileDays::default() };
        let imported =
            import(common, &use_cases.statements, &keys, &configured.pin, &source, days).await;
        let imported = imported.map_err(|fault| refused(&fault))?;
        output::print(common, &imported, &imported.text())
    }
}
