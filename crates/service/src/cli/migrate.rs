//! `tua migrate`: the tables as this version wants them, before it is started.

use super::{Common, database, output};
use crate::metrics::StoreMetrics;
use serde::Serialize;

#[derive(Serialize)]
struct Migrated {
    database: String,
}

pub(super) async fn run(common: Common) -> Result<(), String> {
    let database = database(&common)?;
    // Opening brings them up to date, however many do it at once.
    drop(database.open(StoreMetrics::default()).await?);
    let people = format!("database {database}: its tables are those of this version.");
    output::print(&common, &Migrated { database: database.to_string() }, &people)
}
