//! The rows that are copied from one engine to the other, and what is in which table.

use sha2::{Digest, Sha256};
use tokio::sync::mpsc::Receiver;

/// What is copied, in an order that every reference allows. The rest is a process's own.
pub(super) const TABLES: [&str; 44] = [
    "accounts",
    "account_logos",
    "sandbox_clocks",
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
    "refund_days",
    "fee_days",
    "ledger_day_sums",
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
    // After the alerts, which are inserted for the channels that there are.
    "alert_channels",
    "alert_deliveries",
    "passkeys",
    "passkey_challenges",
    "identities",
    "connected_operators",
    "account_mail_servers",
    "known_browsers",
];

/// A value of a row, in the three types that both engines have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    Text(Option<String>),
    Integer(Option<i64>),
    Bytes(Option<Vec<u8>>),
}

/// The name and the kind of a column whose values are copied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// The three types that columns of both engines have.
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

/// All columns by name: the engines need not have them in the same order.
pub(super) fn select(table: &str, columns: &[Column]) -> String {
    format!("SELECT {} FROM {table}", names(columns))
}

/// The names of columns, separated by commas.
pub(super) fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Rows on their way from one engine to the other.
pub(super) type Rows = Receiver<Vec<Cell>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::migrations::migrate;
    use rusqlite::Connection;

    #[test]
    fn no_table_is_left_behind() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
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
