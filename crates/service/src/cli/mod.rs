//! The command line: one verb per file.
//!
//! Standard output is for results, standard error for logs and for the one line that says what
//! went wrong. A wrong flag, file or database ends with exit code 2 and nothing half-started.

mod account;
mod copy;
mod demo;
mod doctor;
mod key;
mod log;
mod migrate;
mod output;
mod review;
mod serve;
mod webhook;

use crate::{
    Config,
    config::{self, Written},
    database::Database,
    domain::{ports::Store, secret::ServerKey},
    metrics::StoreMetrics,
};
use clap::{Args, Parser, Subcommand};
use std::{future::Future, path::PathBuf, process::ExitCode, sync::Arc};

/// Exit code of every wrong flag, file or database.
const USAGE: u8 = 2;

/// Mobile-money payments for Ghana.
#[derive(Debug, Parser)]
#[command(name = "tua", version, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    verb: Verb,
}

/// What every verb takes.
#[derive(Args, Clone, Debug)]
struct Common {
    /// The database: sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME [default: sqlite://tua.db]
    #[arg(long, global = true, env = "TUA_DATABASE", value_name = "URL", hide_env_values = true)]
    database: Option<String>,
    /// Print JSON alone on standard output
    #[arg(long, global = true, env = "TUA_JSON")]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run the service
    Serve(Box<Settings>),
    /// Run the service, a demo shop with its companion, and a simulated phone
    Demo(demo::Demo),
    /// Manage accounts
    #[command(subcommand)]
    Account(account::Verb),
    /// Manage secret keys
    #[command(subcommand)]
    Key(key::Verb),
    /// Manage webhooks: where merchants' servers hear of events
    #[command(subcommand)]
    Webhook(webhook::Verb),
    /// Decide what no operator decided within a day
    #[command(subcommand)]
    Review(review::Verb),
    /// Bring the database's tables up to date
    Migrate,
    /// Move a shop from a database file to PostgreSQL
    Copy(copy::Copy),
    /// Check configuration, database, operators, callback addresses and clock; exit code 1 where there are faults
    Doctor(Box<doctor::Doctor>),
}

/// The settings of the service, wherever they are written.
#[derive(Args, Debug)]
struct Settings {
    #[command(flatten)]
    written: Written,
    /// A TOML file with the same settings
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Settings {
    /// All that was written, resolved.
    fn resolve(self, common: &Common) -> Result<Config, String> {
        Config::resolve(self.written, common.database.clone(), self.config.as_deref()).map_err(|all| all.join("; "))
    }
}

/// Runs the command line.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return explain(&error),
    };
    match log::start().and_then(|()| run(cli)) {
        Ok(code) => code,
        Err(fault) => {
            eprintln!("tua: {}", fault.replace('\n', " "));
            ExitCode::from(USAGE)
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, String> {
    let common = cli.common;
    match cli.verb {
        Verb::Serve(settings) => block_on(serve::run(common, *settings)),
        Verb::Demo(demo) => block_on(demo.run(common)),
        Verb::Account(verb) => block_on(verb.run(common)),
        Verb::Key(verb) => block_on(verb.run(common)),
        Verb::Webhook(verb) => block_on(verb.run(common)),
        Verb::Review(verb) => block_on(verb.run(common)),
        Verb::Migrate => block_on(migrate::run(common)),
        Verb::Copy(copy) => block_on(copy.run(common)),
        // The one verb that ends well and may yet have found faults.
        Verb::Doctor(doctor) => return block_on(doctor.run(common)),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn block_on<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| format!("the runtime could not start: {error}"))?.block_on(work)
}

/// Opens the store, made where there is none, beside services that may be running on it.
async fn open(common: &Common) -> Result<Arc<dyn Store>, String> {
    Ok(database(common)?.open(StoreMetrics::default()).await?.store)
}

/// Opens a store that is there: a mistyped path is not a new, empty database.
async fn open_existing(common: &Common) -> Result<Arc<dyn Store>, String> {
    match database(common)? {
        Database::Sqlite(path) if !path.exists() => {
            Err(format!("database {}: there is no such file; see --database", path.display()))
        }
        _ => open(common).await,
    }
}

fn database(common: &Common) -> Result<Database, String> {
    common.database.as_deref().unwrap_or(config::DEFAULT_DATABASE).parse()
}

/// The server key of the service on this database, made where there is none yet.
async fn server_key(common: &Common, store: &dyn Store) -> Result<ServerKey, String> {
    let server_key = config::server_key_of_environment()?;
    let key = Config { server_key, ..Config::new(database(common)?) }.load_server_key()?;
    if let Some(cluster_link) = store.cluster_link() {
        cluster_link.verify_server_key(&key).await?;
    }
    Ok(key)
}

/// Help and version are answers; everything else is one line and exit code 2.
fn explain(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayVersion) {
        // Nothing can be said where standard output is gone.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == DisplayHelpOnMissingArgumentOrSubcommand {
        eprintln!("tua: a verb is missing; see `tua --help`");
        return ExitCode::from(USAGE);
    }
    let text = error.render().to_string();
    let said = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let line = said.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    eprintln!("tua: {}; see `tua --help`", line.trim_start_matches("error: "));
    ExitCode::from(USAGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
