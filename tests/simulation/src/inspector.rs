//! Reads the database directly, with SQL and without the product's code.

use rusqlite::{Connection, OptionalExtension, Result, Row};
use std::{collections::BTreeMap, path::Path};
use tua_domain::TransactionId;

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

/// What an order is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredOrder {
    /// Whether it is a payout, which a refund is too.
    pub is_payout: bool,
    /// Whether it is a refund.
    pub is_refund: bool,
    /// Its amount, or the sum of the batch that it is a line of, in pesewas.
    pub pesewas: i64,
    /// The id of the key that asked for it; `None` where a payer did.
    pub key: Option<String>,
}

/// The sums of the ledger's entries, in pesewas.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LedgerSums {
    /// What moved at the operators.
    pub float: i64,
    /// What was handed over, and is not known to have moved.
    pub in_transit: i64,
    /// What merchants earned, with what was returned to payers and what is contradicted.
    pub owned: i64,
}

impl Inspector {
    /// What an order is about.
    ///
    /// # Errors
    /// Those of SQLite; also where there is no such order.
    pub fn order(&self, id: &str) -> Result<StoredOrder> {
        let sql = "SELECT kind = 'PAYOUT', refund_of IS NOT NULL, coalesce((SELECT sum(amount) \
                   FROM transactions AS lines WHERE lines.batch_id = one.batch_id), amount), \
                   key_id FROM transactions AS one WHERE id = ?1";
        self.0.prepare_cached(sql)?.query_row([id], |row| {
            Ok(StoredOrder {
                is_payout: row.get(0)?,
                is_refund: row.get(1)?,
                pesewas: row.get(2)?,
                key: row.get(3)?,
            })
        })
    }

    /// The payouts of a batch.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn lines(&self, batch: &str) -> Result<Vec<TransactionId>> {
        let sql = "SELECT id FROM transactions WHERE batch_id = ?1";
        self.0.prepare_cached(sql)?.query_map([batch], id)?.collect()
    }

    /// The payouts and refunds that are not handed over, and whose key asked for them.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn unsent_payouts(&self) -> Result<Vec<(TransactionId, Option<String>)>> {
        let sql = "SELECT id, key_id FROM transactions WHERE kind = 'PAYOUT' AND status = \
                   'PENDING' AND handed_over_at IS NULL";
        let mut statement = self.0.prepare_cached(sql)?;
        statement.query_map([], |row| Ok((id(row)?, row.get(1)?)))?.collect()
    }

    /// The sums of all entries of the ledger about the operator with this name.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn ledger(&self, operator: &str) -> Result<LedgerSums> {
        let sql = "SELECT coalesce(sum(operator_float), 0), coalesce(sum(in_transit), 0), \
                   coalesce(sum(merchant + refunds + suspense + fees), 0) FROM ledger_entries \
                   WHERE operator = ?1";
        self.0.prepare_cached(sql)?.query_row([operator], |row| {
            Ok(LedgerSums { float: row.get(0)?, in_transit: row.get(1)?, owned: row.get(2)? })
        })
    }

    /// The sum of the payouts and refunds that are handed over to the operator with this name, and
    /// not final, in pesewas.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn in_transit(&self, operator: &str) -> Result<i64> {
        let sql = "SELECT coalesce(sum(amount), 0) FROM transactions WHERE operator = ?1 AND \
                   kind = 'PAYOUT' AND status = 'PENDING' AND handed_over_at IS NOT NULL";
        self.0.prepare_cached(sql)?.query_row([operator], |row| row.get(0))
    }
}

fn id(row: &Row<'_>) -> Result<TransactionId> {
    row.get::<_, String>("id").map(TransactionId::new)
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
