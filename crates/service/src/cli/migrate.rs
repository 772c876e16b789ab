//! `tua migrate`: migrates the schema before this version of the service is started.

use super::{
    context::{Common, database},
    fault::Fault,
    output,
};
use serde::Serialize;
use tua_metrics::StoreMetrics;

#[derive(Serialize)]
struct Migrated {
    database: String,
}

pub(super) async fn run(common: Common) -> Result<(), Fault> {
    let database = database(&common)?;
    // Opening migrates; several processes may do so at the same time.
    drop(database.open(StoreMetrics::default()).await?);
    let text = format!("database {database}: its schema is that of this version.");
    output::print(&common, &Migrated { database: database.to_string() }, &text)
}
