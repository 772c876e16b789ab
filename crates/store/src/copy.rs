//! Moves a shop from a file to a server, whole or not at all.
//!
//! Both engines keep the same columns, so that rows are copied as they are. What was written is
//! read back and compared: the number of rows of each table, and a digest of every column of every
//! row.

use super::postgres::{PostgresStore, copy::Target};
use rusqlite::{Connection, OpenFlags, types::ValueRef};
use sha2::{Digest, Sha256};
use std::path::Path;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tua_system::files::whole;

/// What is copied, in an order that every reference allows. The rest is a process's own.
pub(super) const TABLES: [&str; 36] = [
    "accounts",
    "account_logos",
    "api_keys",
    "payout_controls",
    "payment_links",
    "checkouts",
    "payout_batches",
    "transactions",
    "transaction_events",
    "ledger_entries",
    "statements",
    "statement_lines",
    "closed_days",
    "transaction_days",
    "operator_exchanges",
    "sandbox_orders",
    "attempts",
    "buckets",
    "webhook_endpoints",
    "webhook_deliveries",
    "acme",
    "server_keys",
    "audit_log",
    "audit_head",
    "users",
    "memberships",
    "recovery_codes",
    "enrolment_links",
    "dashboard_sessions",
    "mail_switch",
    "mail_messages",
    "mail_alerts",
    "passkeys",
    "passkey_challenges",
    "identities",
    "known_browsers",
];

/// How many rows are read ahead of those that are written.
const AHEAD: usize = 1_000;

/// A value of a row, in the three types that both engines have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    Text(Option<String>),
    Integer(Option<i64>),
    Bytes(Option<Vec<u8>>),
}

/// A column, and which of the three types it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Text,
    Integer,
    Bytes,
}

/// How much a table holds, and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    /// The name of the table, the same in both databases.
    pub table: &'static str,
    /// How many rows the table has.
    pub rows: u64,
    /// The digests of all rows, combined in a way that their order does not matter to.
    pub digest: [u8; 32],
}

impl Content {
    pub(super) const fn new(table: &'static str) -> Self {
        Self { table, rows: 0, digest: [0; 32] }
    }

    /// Takes one more row in.
    pub(super) fn add(&mut self, row: &[Cell]) {
        let mut digest = Sha256::new();
        for cell in row {
            let bytes = match cell {
                Cell::Text(text) => text.as_ref().map(|text| text.as_bytes().to_vec()),
                Cell::Integer(number) => number.map(|number| number.to_be_bytes().to_vec()),
                Cell::Bytes(bytes) => bytes.clone(),
            };
            // With its length first, so that no two rows run into the same bytes.
            digest
                .update(bytes.as_ref().map_or(u64::MAX, |bytes| bytes.len() as u64).to_be_bytes());
            digest.update(bytes.unwrap_or_default());
        }
        self.rows += 1;
        self.digest.iter_mut().zip(digest.finalize()).for_each(|(all, one)| *all ^= one);
    }
}

/// Copies a database file that nobody serves into an empty database. Returns what was copied.
///
/// # Errors
/// One line; then nothing was copied, unless it says that the copy is complete.
pub async fn copy(from: &Path, to: &PostgresStore) -> Result<Vec<Content>, String> {
    let named =
        |error: &dyn std::fmt::Display| format!("database {}: {error}", whole(from).display());
    let target = Target::begin(to).await?;
    let mut contents = Vec::new();
    for table in TABLES {
        let columns = columns(from, table).map_err(|error| named(&error))?;
        let (rows, mut read) = channel(AHEAD);
        let reading = tokio::task::spawn_blocking({
            let from = from.to_owned();
            let columns = columns.clone();
            move || send(&from, table, &columns, &rows)
        });
        let written = target.write(table, &columns, &mut read).await;
        let sent = reading.await.map_err(|error| named(&error))?.map_err(|error| named(&error))?;
        written?;
        let found = target.read(table, &columns).await?;
        if sent != found {
            return Err(format!(
                "table {table} was not copied as it is: {} rows of {}",
                found.rows, sent.rows
            ));
        }
        contents.push(sent);
    }
    target.commit().await?;
    Ok(contents)
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
}

fn columns(from: &Path, table: &str) -> rusqlite::Result<Vec<Column>> {
    let db = connect(from)?;
    let mut statement = db.prepare("SELECT name, type FROM pragma_table_info(?1)")?;
    let columns = statement.query_map([table], |row| {
        let kind: String = row.get(1)?;
        let kind = match kind.as_str() {
            "INTEGER" => Kind::Integer,
            "BLOB" => Kind::Bytes,
            _ => Kind::Text,
        };
        Ok(Column { name: row.get(0)?, kind })
    })?;
    columns.collect()
}

/// Sends all rows of a table, and says what they were; fewer where nobody takes them.
fn send(
    from: &Path,
    table: &'static str,
    columns: &[Column],
    rows: &Sender<Vec<Cell>>,
) -> rusqlite::Result<Content> {
    let db = connect(from)?;
    let mut statement = db.prepare(&select(table, columns))?;
    let mut found = statement.query([])?;
    let mut content = Content::new(table);
    while let Some(row) = found.next()? {
        let cell = |(index, column): (usize, &Column)| {
            let value = row.get_ref(index)?;
            Ok(match column.kind {
                Kind::Text => Cell::Text(value.as_str_or_null()?.map(str::to_owned)),
                Kind::Integer => Cell::Integer(ValueRef::as_i64_or_null(&value)?),
                Kind::Bytes => Cell::Bytes(value.as_blob_or_null()?.map(<[u8]>::to_vec)),
            })
        };
        let row = columns.iter().enumerate().map(cell).collect::<rusqlite::Result<Vec<Cell>>>()?;
        content.add(&row);
        if rows.blocking_send(row).is_err() {
            break;
        }
    }
    Ok(content)
}

/// All columns by name: the engines need not have them in the same order.
pub(super) fn select(table: &str, columns: &[Column]) -> String {
    format!("SELECT {} FROM {table}", names(columns))
}

pub(super) fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Rows on their way from one engine to the other.
pub(super) type Rows = Receiver<Vec<Cell>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_table_is_left_behind() {
        let db = Connection::open_in_memory().unwrap();
        for sql in [
            include_str!("../migrations/sqlite/01-init.sql"),
            include_str!("../migrations/sqlite/02-mail.sql"),
        ] {
            db.execute_batch(sql).unwrap();
        }
        let mut statement =
            db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").unwrap();
        let tables: Vec<String> =
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        for table in tables.iter().filter(|name| *name != "readiness") {
            assert!(TABLES.contains(&table.as_str()), "{table}");
        }
    }

    #[test]
    fn a_digest_tells_rows_apart_and_not_their_order() {
        let text = |text: &str| Cell::Text(Some(text.to_owned()));
        let of = |rows: &[Vec<Cell>]| {
            let mut content = Content::new("accounts");
            rows.iter().for_each(|row| content.add(row));
            content.digest
        };
        let one = vec![text("ab"), text("c")];
        let other = vec![text("a"), text("bc")];
        assert_ne!(of(std::slice::from_ref(&one)), of(std::slice::from_ref(&other)));
        assert_ne!(of(&[vec![Cell::Text(None)]]), of(&[vec![text("")]]));
        assert_eq!(of(&[one.clone(), other.clone()]), of(&[other, one]));
    }
}
