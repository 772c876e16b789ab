//! `tua backup` and `tua restore` (docs/operations.md, "Backups").

use super::{
    context::{Common, database},
    fault::Fault,
    output,
};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use tua_config::{Config, key_file};
use tua_domain::{audit::Source, ports::Clock};
use tua_store::{database::Database, sqlite::backup};
use tua_system::{actor, clock::SystemClock, files::whole};

#[derive(Args, Debug)]
pub(super) struct Backup {
    /// The file to write, which must not exist
    path: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct Restore {
    /// The file that `tua backup` wrote
    path: PathBuf,
}

#[derive(Serialize)]
struct BackedUp {
    file: String,
    bytes: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RestoredDatabase {
    database: String,
    suspended_accounts: u64,
}

impl Backup {
    pub(super) fn run(self, common: &Common) -> Result<(), Fault> {
        let database = file(common, "backup", "use pg_dump or your provider's backups")?;
        if !database.exists() {
            return Err(format!(
                "database {}: there is no such file; see --database",
                whole(&database).display()
            )
            .into());
        }
        let bytes = backup::backup(&database, &self.path)?;
        let file = self.path.display().to_string();
        let text = format!(
            "{file} has {bytes} bytes. It does not have the server key; keep that in another place."
        );
        output::print(common, &BackedUp { file, bytes }, &text)
    }
}

impl Restore {
    pub(super) fn run(self, common: &Common) -> Result<(), Fault> {
        let database = file(common, "restore", "use pg_restore or your provider's backups")?;
        let server_keys = tua_config::server_keys_of_environment()?;
        let config = Config { server_keys, ..Config::new(database.clone()) };
        let keys = match config.key_file() {
            Some(path) => key_file::load(&path)?,
            None => config.server_keys,
        };
        if keys.is_empty() {
            return Err(missing_key(&database).into());
        }
        let context = |ring: &_| {
            actor::audit_context(
                Source::CommandLine,
                common.actor_name.as_deref(),
                ring,
                SystemClock.now(),
            )
        };
        let restored = backup::restore(&self.path, &database, &keys, context)?;
        let database = database.display().to_string();
        let text = format!(
            "{database} is restored, and all accounts are suspended. Payments that were made after \
             the backup are not in it: compare with the operators' statements, then run `tua \
             account resume` for each account."
        );
        output::print(
            common,
            &RestoredDatabase { database, suspended_accounts: restored.accounts },
            &text,
        )
    }
}

fn missing_key(database: &Path) -> String {
    format!(
        "server key: the key that sealed the backup is needed, in {}.key or in TUA_SERVER_KEY",
        database.display()
    )
}

fn file(common: &Common, command: &str, instead: &str) -> Result<PathBuf, String> {
    match database(common)? {
        Database::Sqlite(path) => Ok(path),
        Database::Postgres(_) => {
            Err(format!("{command}: only for SQLite; with PostgreSQL {instead}"))
        }
    }
}
