//! `tua copy`: copies an SQLite database to PostgreSQL.

use super::{context::Common, fault::Fault, output};
use clap::Args;
use serde::Serialize;
use tua_metrics::StoreMetrics;
use tua_store::{
    copied_rows::Content, copy::copy, database::Database, postgres::PostgresStore,
    sqlite::SqliteStore,
};

#[derive(Args, Debug)]
pub(super) struct Copy {
    /// The SQLite database; no service may run on it: sqlite://PATH
    #[arg(long, value_name = "URL")]
    from: Database,
    /// The empty PostgreSQL database: postgres://USER:PASSWORD@HOST/NAME
    // A variable of its own, so that the password is not on the command line, where other users can
    // read it.
    #[arg(long, env = "TUA_COPY_TO", value_name = "URL", hide_env_values = true)]
    to: Database,
}

#[derive(Serialize)]
struct Copied<'a> {
    table: &'a str,
    rows: u64,
    /// SHA-256 of all rows in hexadecimal digits; equal in both databases.
    digest: String,
}

impl Copy {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        let (Database::Sqlite(path), Database::Postgres(url)) = (&self.from, &self.to) else {
            return Err(
                "copy: --from must be sqlite://<path> and --to postgres://…; the other direction \
                 is not supported"
                    .into(),
            );
        };
        if !path.exists() {
            return Err(format!("database {}: there is no such file; see --from", self.from).into());
        }
        let _lock = self.from.lock()?;
        // Migrates the file's schema, as a start of the service does.
        drop(SqliteStore::open(path)?);
        let from_environment = !tua_config::server_keys_of_environment()?.is_empty();
        let store = PostgresStore::open(url, StoreMetrics::default()).await?;
        let contents = copy(path, &store).await?;

        let listed: Vec<Copied<'_>> = contents.iter().map(Copied::new).collect();
        let lines = listed
            .iter()
            .map(|one| format!("{:<20} {:>12} rows  {}", one.table, one.rows, one.digest));
        let advice = if from_environment {
            "Start the nodes with the same TUA_SERVER_KEY.".to_owned()
        } else {
            format!(
                "Start the nodes with TUA_SERVER_KEY set to the contents of {}.key.",
                path.display()
            )
        };
        let text = lines.chain([
            String::new(),
            "Every row was read back and compared.".to_owned(),
            advice,
        ]);
        output::print(&common, &listed, &text.collect::<Vec<_>>().join("\n"))
    }
}

impl<'a> Copied<'a> {
    fn new(content: &'a Content) -> Self {
        let digest = hex::encode(content.digest);
        Self { table: content.table, rows: content.rows, digest }
    }
}
