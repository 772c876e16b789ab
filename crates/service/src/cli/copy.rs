//! `tua copy`: a shop that outgrows its file moves to a server.

use super::{Common, output};
use crate::{
    Config, config,
    database::Database,
    domain::ports::ClusterLink,
    metrics::StoreMetrics,
    store::{
        copy::{Content, copy},
        postgres::PostgresStore,
        sqlite::SqliteStore,
    },
};
use clap::Args;
use serde::Serialize;

#[derive(Args, Debug)]
pub(super) struct Copy {
    /// The database file, which nobody serves: sqlite://PATH
    #[arg(long, env = "TUA_FROM", value_name = "URL")]
    from: Database,
    /// The empty database: postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, env = "TUA_TO", value_name = "URL", hide_env_values = true)]
    to: Database,
}

#[derive(Serialize)]
struct Copied<'a> {
    table: &'a str,
    rows: u64,
    /// Of all rows, equal in both databases: in hexadecimal digits.
    digest: String,
}

impl Copy {
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        let (Database::Sqlite(path), Database::Postgres(url)) = (&self.from, &self.to) else {
            return Err(
                "copy: --from is sqlite://<path> and --to is postgres://…; the other way is not there".to_owned()
            );
        };
        if !path.exists() {
            return Err(format!("database {}: there is no such file; see --from", path.display()));
        }
        let _lock = self.from.lock()?;
        // Brings the file's tables up to date, as a start of the service would.
        drop(SqliteStore::open(path)?);
        let server_key = config::server_key_of_environment()?;
        let from_environment = server_key.is_some();
        let key = Config { server_key, ..Config::new(self.from.clone()) }.load_server_key()?;
        let store = PostgresStore::open(url, StoreMetrics::default()).await?;
        store.verify_server_key(&key).await?;
        let contents = copy(path, &store).await?;

        let listed: Vec<Copied<'_>> = contents.iter().map(Copied::new).collect();
        let lines = listed.iter().map(|one| format!("{:<20} {:>12} rows  {}", one.table, one.rows, one.digest));
        let advice = match from_environment {
            true => "Start the nodes with the same TUA_SERVER_KEY.".to_owned(),
            false => format!("Start the nodes with TUA_SERVER_KEY set to what is in {}.key.", path.display()),
        };
        let people = lines.chain([String::new(), "Every row was read back and is the same.".to_owned(), advice]);
        output::print(&common, &listed, &people.collect::<Vec<_>>().join("\n"))
    }
}

impl<'a> Copied<'a> {
    fn new(content: &'a Content) -> Self {
        let digest = content.digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { table: content.table, rows: content.rows, digest }
    }
}
