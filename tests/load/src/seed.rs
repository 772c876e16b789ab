//! Copies of one real payment with other ids and times.

use anyhow::{Result, ensure};
use rusqlite::{Connection, params_from_iter, types::Value};
use std::path::Path;

/// The tables that contain a payment, and the column with its id or reference.
const TABLES: [(&str, &str); 3] = [
    ("transactions", "id"),
    ("transaction_events", "transaction_id"),
    ("sandbox_orders", "reference"),
];

/// The number of payments in a commit, and the time between two payments.
const COMMIT_SIZE: u64 = 50_000;
const INTERVAL_MS: i64 = 200;

/// The number of ids in each list of a sample.
const SAMPLE: u64 = 1_000;

/// An integer above it is a time, in milliseconds since 1970.
const MIN_TIMESTAMP_MS: i64 = 1_000_000_000_000;

/// The rows of the real payment in one table.
struct Template {
    insert: String,
    rows: Vec<Vec<Value>>,
}

/// The ids of some payments.
#[derive(Debug, Default)]
pub struct Sample {
    pub newest: Vec<String>,
    /// Spread over the whole range of time, in random order.
    pub any: Vec<String>,
}

/// Inserts copies of a payment, of test mode or of live mode, so that there are `count`.
pub fn multiply(database: &Path, transaction: &str, count: u64) -> Result<Sample> {
    let mut db = Connection::open(database)?;
    db.execute_batch(
        "PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; PRAGMA foreign_keys = OFF",
    )?;
    let find = "SELECT created_at FROM transactions WHERE id = ?1";
    let created_at: i64 = db.query_row(find, [transaction], |row| row.get(0))?;
    let reference = operator_reference(transaction);
    let templates = TABLES
        .iter()
        .map(|(table, column)| {
            template(
                &db,
                table,
                column,
                if *table == "sandbox_orders" { &reference } else { transaction },
            )
        })
        // A live payment has no order in the sandbox.
        .filter_map(Result::transpose)
        .collect::<Result<Vec<_>>>()?;
    let mut random = fastrand::Rng::with_seed(1);
    let mut sample = Sample::default();
    for first in (0..count).step_by(usize::try_from(COMMIT_SIZE)?) {
        let commit = db.transaction()?;
        for number in first..count.min(first + COMMIT_SIZE) {
            let earlier = i64::try_from(count - number)? * INTERVAL_MS;
            let id = format!("txn_{:012x}7{:019x}", created_at - earlier, random.u64(..));
            let other_reference = operator_reference(&id);
            let like = |value: &Value| match value {
                Value::Text(text) => Value::Text(
                    text.replace(transaction, &id).replace(&reference, &other_reference),
                ),
                Value::Integer(at) if *at > MIN_TIMESTAMP_MS => Value::Integer(at - earlier),
                other => other.clone(),
            };
            for Template { insert, rows } in &templates {
                let mut insert = commit.prepare_cached(insert)?;
                for row in rows {
                    insert.execute(params_from_iter(row.iter().map(like)))?;
                }
            }
            if number + SAMPLE >= count {
                sample.newest.push(id.clone());
            }
            if number % count.div_ceil(SAMPLE) == 0 {
                sample.any.push(id);
            }
        }
        commit.commit()?;
    }
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    random.shuffle(&mut sample.any);
    Ok(sample)
}

/// A transaction's reference at its operator: its UUID with version 4.
fn operator_reference(transaction: &str) -> String {
    let uuid = transaction.trim_start_matches("txn_");
    format!("{}-{}-4{}-{}-{}", &uuid[..8], &uuid[8..12], &uuid[13..16], &uuid[16..20], &uuid[20..])
}

/// The references at their operators of the payments that are pending.
pub fn pending_references(database: &Path) -> Result<Vec<String>> {
    let db = Connection::open(database)?;
    let mut select = db.prepare("SELECT id FROM transactions WHERE status = 'PENDING'")?;
    let ids = select.query_map([], |row| row.get::<_, String>(0))?;
    Ok(ids.map(|id| id.map(|id| operator_reference(&id))).collect::<rusqlite::Result<_>>()?)
}

/// `None` where the table has no row of the payment.
fn template(db: &Connection, table: &str, column: &str, key: &str) -> Result<Option<Template>> {
    let mut select = db.prepare(&format!("SELECT * FROM {table} WHERE {column} = ?1"))?;
    let columns = select.column_count();
    let rows =
        select.query_map([key], |row| (0..columns).map(|column| row.get(column)).collect())?;
    let rows: Vec<Vec<Value>> = rows.collect::<rusqlite::Result<_>>()?;
    ensure!(!rows.is_empty() || table == "sandbox_orders", "{table} has no row of the payment");
    if rows.is_empty() {
        return Ok(None);
    }
    let places = vec!["?"; columns].join(", ");
    Ok(Some(Template { insert: format!("INSERT INTO {table} VALUES ({places})"), rows }))
}
