//! Fills a shop's database file with a year of one account.

use crate::service::Shop;
use anyhow::{Context, Result, ensure};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use rusqlite::{Connection, params};

/// The token of the owner's session, and its SHA-256.
const TOKEN: &str = "bench-session";
const SESSION: [u8; 32] = [
    0x65, 0xaf, 0x8f, 0xab, 0x92, 0xc4, 0x46, 0xf1, 0xce, 0x6c, 0xe8, 0xcc, 0x58, 0x1d, 0x30, 0xe1,
    0xe4, 0x5a, 0x56, 0xd1, 0x3a, 0xb2, 0x03, 0x6d, 0xe4, 0xc8, 0xbf, 0xf5, 0x1a, 0x28, 0x81, 0x48,
];

/// The tables whose indexes are made again after their rows.
const INDEXES: &str = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
     AND tbl_name IN ('transactions', 'checkouts', 'webhook_deliveries')";

/// What the requests need to name.
#[derive(Clone, Debug)]
pub struct Seeded {
    /// The `Cookie` header of a session in which the owner is signed in.
    pub cookie: String,
    /// The address of the account's pages.
    pub base: String,
    pub endpoint: String,
    /// The day on which the data ends.
    pub today: Date,
    /// One successful charge of half a year ago, as its payer and merchant know it.
    pub found: Vec<(&'static str, String)>,
}

#[expect(clippy::disallowed_methods, reason = "the other process reads the machine's clock")]
fn machine_time() -> Timestamp {
    Timestamp::now()
}

pub fn fill(shop: &Shop, transactions: u64) -> Result<Seeded> {
    let (account, endpoint) = shop.with_owner_and_endpoint()?;
    let mut db = Connection::open(shop.database())?;
    db.execute_batch(
        "PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000; PRAGMA foreign_keys = OFF; PRAGMA \
         temp_store = MEMORY",
    )?;
    let now = machine_time();
    db.execute(
        "CREATE TEMP TABLE parameters AS SELECT ?1 AS account, ?2 AS endpoint, ?3 AS now, ?4 AS \
         transactions,
             ?5 AS session, (SELECT id FROM users) AS user, (SELECT max(id) FROM api_keys) AS key",
        params![account, endpoint, now.as_millisecond(), i64::try_from(transactions)?, SESSION],
    )?;
    let filling = db.transaction()?;
    let indexes: Vec<(String, String)> = filling
        .prepare(INDEXES)?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (name, _) in &indexes {
        filling.execute_batch(&format!("DROP INDEX {name}"))?;
    }
    filling.execute_batch(include_str!("seed.sql"))?;
    for (_, sql) in &indexes {
        filling.execute_batch(sql)?;
    }
    filling.commit()?;
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    let found = find(&db, transactions)?;
    drop(db);
    let recounted = shop.command().args(["transaction", "recount"]).output()?;
    ensure!(recounted.status.success(), "{}", String::from_utf8_lossy(&recounted.stderr));
    let base = format!("/dashboard/accounts/{account}/test");
    let today = now.to_zoned(TimeZone::UTC).date();
    Ok(Seeded { cookie: format!("tua-session={TOKEN}"), base, endpoint, today, found })
}

/// What people search for, about a charge in the middle of the year.
fn find(db: &Connection, transactions: u64) -> Result<Vec<(&'static str, String)>> {
    let columns = ["id", "reference", "operator_transaction_id", "phone", "email"];
    let middle = i64::try_from(transactions / 2)?;
    let sql = format!(
        "SELECT {} FROM transactions WHERE rowid >= ?1 AND status = 'SUCCESSFUL' AND email IS NOT \
         NULL AND link_id IS NULL
         ORDER BY rowid LIMIT 1",
        columns.join(", ")
    );
    let mut values: Vec<String> = db
        .query_row(&sql, [middle], |row| (0..columns.len()).map(|column| row.get(column)).collect())
        .context("a charge to find")?;
    let names = ["id", "reference", "operator's id", "phone", "e-mail"];
    let mut found: Vec<_> = names.into_iter().zip(values.drain(..)).collect();
    found.extend(
        [
            ("a link's reference", "link-5"),
            ("a rare amount", "76543.21"),
            ("a frequent amount", "35.00"),
        ]
        .map(|(name, value)| (name, value.to_owned())),
    );
    found.push(("nothing", "no-such-order".to_owned()));
    Ok(found)
}
