//! What all commands share: the flags of every command, the settings, the database and its server
//! keys, and who makes a change.

use super::fault::Fault;
use clap::{Args, Subcommand};
use std::{path::PathBuf, sync::Arc};
use tua_config::{Config, RawSettings};
use tua_domain::{
    audit::{AuditContext, Source},
    key_ring::KeyRing,
    line::parse_name,
    ports::{AuditLog, Clock, Store},
};
use tua_metrics::StoreMetrics;
use tua_store::database::{Database, Opened};
use tua_system::{actor, clock::SystemClock};

/// The flags of every command.
#[derive(Args, Clone, Debug)]
pub(super) struct Common {
    /// The database: sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME [default: sqlite://tua.db]
    #[arg(long, global = true, env = "TUA_DATABASE", value_name = "URL", hide_env_values = true)]
    pub(super) database: Option<String>,
    /// Print JSON alone on standard output
    #[arg(long, global = true, env = "TUA_JSON")]
    pub(super) json: bool,
    /// The name of `--as`, of a command that has it.
    #[arg(skip)]
    pub(super) actor_name: Option<String>,
}

/// A group of commands that change something, with the name of who does it.
#[derive(Args, Debug)]
pub(super) struct WithActor<Command: Subcommand> {
    /// Who makes the change, for the audit log, in addition to the system user
    // Not `name`: an argument of a subcommand has this id.
    #[arg(
        id = "by",
        long = "as",
        global = true,
        env = "TUA_AS",
        value_name = "NAME",
        value_parser = parse_name
    )]
    pub(super) actor_name: Option<String>,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The settings of the service, from all sources.
#[derive(Args, Debug)]
pub(super) struct Settings {
    #[command(flatten)]
    settings: RawSettings,
    /// A TOML file with the same settings
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Settings {
    /// Merges and validates the settings.
    pub(super) fn resolve(self, common: &Common) -> Result<Config, String> {
        Config::resolve(self.settings, common.database.clone(), self.config.as_deref())
            .map_err(|all| all.join("; "))
    }
}

/// Opens the store, and creates it if it does not exist. A service may be running on it.
pub(super) async fn open(common: &Common) -> Result<Arc<dyn Store>, Fault> {
    Ok(database(common)?.open(StoreMetrics::default()).await?.store)
}

/// Opens an existing store, so that a mistyped path does not create an empty database.
pub(super) async fn open_existing(common: &Common) -> Result<Arc<dyn Store>, Fault> {
    open_existing_database(database(common)?).await
}

/// As [`open_existing`], for a database of the settings file.
pub(super) async fn open_existing_database(database: Database) -> Result<Arc<dyn Store>, Fault> {
    Ok(open_existing_with_orders(database).await?.store)
}

/// As [`open_existing_database`], with the orders of the sandbox.
pub(super) async fn open_existing_with_orders(database: Database) -> Result<Opened, Fault> {
    if is_absent(&database) {
        return Err(format!("database {database}: there is no such file; see --database").into());
    }
    Ok(database.open(StoreMetrics::default()).await?)
}

/// Whether the database is a file that does not exist. Of one on a server only an attempt shows
/// that.
pub(super) fn is_absent(database: &Database) -> bool {
    matches!(database, Database::Sqlite(path) if !path.exists())
}

pub(super) fn database(common: &Common) -> Result<Database, String> {
    common.database.as_deref().unwrap_or(tua_config::DEFAULT_DATABASE).parse()
}

/// The server keys of the service on this database; created if there is none yet.
pub(super) async fn key_ring(common: &Common, log: &dyn AuditLog) -> Result<KeyRing, Fault> {
    let server_keys = tua_config::server_keys_of_environment()?;
    let config = Config { server_keys, ..Config::new(database(common)?) };
    Ok(config.open_key_ring(log).await?)
}

/// Who makes a change, and when.
pub(super) async fn audit_context(
    common: &Common,
    log: &dyn AuditLog,
) -> Result<AuditContext, Fault> {
    let keys = key_ring(common, log).await?;
    Ok(actor::audit_context(
        Source::CommandLine,
        common.actor_name.as_deref(),
        &keys,
        SystemClock.now(),
    ))
}
