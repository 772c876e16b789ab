//! Migrates the schema of a file.

use crate::migrations::migrations;
use rusqlite::Connection;
use rusqlite_migration::{M, Migrations, Result};

pub(super) const MIGRATIONS: &[M<'static>] = migrations!("sqlite", M::up);

/// Brings the schema up to date.
pub(crate) fn migrate(db: &mut Connection) -> Result<()> {
    Migrations::from_slice(MIGRATIONS).to_latest(db)
}
