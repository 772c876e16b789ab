//! Reads the database directly, with SQL and without the product's code.

use rusqlite::{Connection, OptionalExtension, Result, Row};
use std::{collections::BTreeMap, path::Path};

/// What the service has stored about a payment, as far as it decides what may happen to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Nothing: nobody has asked for it, or not successfully.
    Unknown,
    /// It waits for a person's approval.
    Unapproved,
    /// Its order is not handed over.
    Waiting,
    /// Its order is handed over, and the operator has not acknowledged it.
    Sent,
    /// Its operator has it, and has not decided.
    Acknowledged,
    /// It is pending, and waits for people.
    Flagged,
    /// It is successful.
    Successful,
    /// It has failed.
    Failed,
    /// It is final, and its operator has contradicted that.
    Contradicted,
}

impl Stage {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Unknown,
        Self::Unapproved,
        Self::Waiting,
        Self::Sent,
        Self::Acknowledged,
        Self::Flagged,
        Self::Successful,
        Self::Failed,
        Self::Contradicted,
    ];
}

/// A connection to the database of one life of the service, which it only reads.
#[derive(Debug)]
pub struct Inspector(Connection);

const STAGE: &str = "status, handed_over_at IS NOT NULL AS is_handed_over, acknowledged_at IS NOT \
     NULL AS is_acknowledged, review_at IS NOT NULL AS is_flagged, approval_due IS NOT NULL AS \
     is_unapproved, conflict_at IS NOT NULL AS is_contradicted";

impl Inspector {
    /// Opens the database.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn open(path: &Path) -> Result<Self> {
        Connection::open(path).map(Self)
    }

    /// Copies the write-ahead log into the file, as far as nobody reads it.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn checkpoint(&self) -> Result<()> {
        self.0.prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")?.query_row([], |_| Ok(()))
    }

    /// How a payment stands.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn stage(&self, id: &str) -> Result<Stage> {
        let sql = format!("SELECT {STAGE} FROM transactions WHERE id = ?1");
        let found = self.0.prepare_cached(&sql)?.query_row([id], stage).optional()?;
        Ok(found.unwrap_or(Stage::Unknown))
    }

    /// How many payments that are not final stand how.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn open_stages(&self) -> Result<BTreeMap<Stage, u64>> {
        let sql = format!("SELECT {STAGE} FROM transactions WHERE status = 'PENDING'");
        let mut statement = self.0.prepare_cached(&sql)?;
        let mut stages = BTreeMap::new();
        for found in statement.query_map([], stage)? {
            *stages.entry(found?).or_default() += 1;
        }
        Ok(stages)
    }
}

fn stage(row: &Row<'_>) -> Result<Stage> {
    let is = |column: &str| row.get::<_, bool>(column);
    let status: String = row.get("status")?;
    let is_contradicted = is("is_contradicted")?;
    Ok(match status.as_str() {
        "SUCCESSFUL" | "FAILED" if is_contradicted => Stage::Contradicted,
        "SUCCESSFUL" => Stage::Successful,
        "FAILED" => Stage::Failed,
        _ if is("is_flagged")? => Stage::Flagged,
        _ if is("is_acknowledged")? => Stage::Acknowledged,
        _ if is("is_handed_over")? => Stage::Sent,
        _ if is("is_unapproved")? => Stage::Unapproved,
        _ => Stage::Waiting,
    })
}
