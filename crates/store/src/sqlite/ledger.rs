//! The ledger: its entries, and what is read of them.

use super::{SqliteStore, record::Record};
use crate::{
    column_values::{moments_of, operator_columns},
    ledger_sql::{self, bad_entries, ledger_balances, ledger_days, posted_sums},
    rows,
};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use rusqlite::{Connection, Result, params};
use std::ops::RangeInclusive;
use tua_domain::{
    AccountId, Mode, Transaction, TransactionId,
    ledger::{LedgerAccount, LedgerBalance, LedgerDay, Postings, verification::PostedTransaction},
    ports::{Ledger, StoreError},
};

#[async_trait]
impl Ledger for SqliteStore {
    async fn ledger_balances(
        &self,
        until: Timestamp,
    ) -> std::result::Result<Vec<LedgerBalance>, StoreError> {
        self.readers
            .read_many(move |db| {
                db.prepare_cached(ledger_balances!("?1"))?
                    .query_map([until.as_millisecond()], |row| {
                        rows::ledger_balance(&Record::new(row))
                    })?
                    .collect()
            })
            .await
    }

    async fn ledger_days(
        &self,
        days: RangeInclusive<Date>,
        account: Option<&AccountId>,
        mode: Option<Mode>,
    ) -> std::result::Result<Vec<LedgerDay>, StoreError> {
        let (from, before) = moments_of(&days);
        let account = account.map(|account| account.as_str().to_owned());
        self.readers
            .read_many(move |db| {
                db.prepare_cached(ledger_days!("?1", "?2", "?3", "?4"))?
                    .query_map((from, before, account, mode.map(Mode::as_str)), |row| {
                        rows::ledger_day(&Record::new(row))
                    })?
                    .collect()
            })
            .await
    }

    async fn posted_transactions(
        &self,
        after: Option<&TransactionId>,
        most: u32,
    ) -> std::result::Result<Vec<PostedTransaction>, StoreError> {
        // SQLite takes the other columns of a group from one of its rows; all rows of a group have
        // the same transaction.
        const SQL: &str = concat!(
            "SELECT page.*, ",
            posted_sums!(),
            ", ",
            bad_entries!("page"),
            " FROM (SELECT * FROM transactions WHERE id > ?1 ORDER BY id LIMIT ?2) AS page
              LEFT JOIN ledger_entries ON ledger_entries.transaction_id = page.id
              GROUP BY page.id ORDER BY page.id"
        );
        let after = after.map(|id| id.as_str().to_owned()).unwrap_or_default();
        self.readers
            .read_many(move |db| {
                db.prepare_cached(SQL)?
                    .query_map((after, most), |row| rows::posted_transaction(&Record::new(row)))?
                    .collect()
            })
            .await
    }

    async fn orphaned_entries(&self) -> std::result::Result<u64, StoreError> {
        self.readers
            .read_many(|db| {
                db.query_row(ledger_sql::ORPHANED_ENTRIES, [], |row| row.get::<_, i64>(0))
            })
            .await
            .map(i64::unsigned_abs)
    }
}

/// Posts what the last event of a transaction moved, whose postings were `before`. Most events move
/// nothing.
pub(super) fn post(db: &Connection, before: Postings, transaction: &Transaction) -> Result<()> {
    let Some(postings) = Postings::to_post(before, Postings::of(transaction)) else {
        return Ok(());
    };
    let begun = &transaction.begun;
    db.prepare_cached(
        "INSERT INTO ledger_entries (transaction_id, version, at, account_id, mode, operator, \
         operator_float, in_transit,
             fees, merchant, refunds, suspense)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?
    .execute(params![
        begun.id.as_str(),
        transaction.version,
        transaction.updated_at.as_millisecond(),
        begun.scope.account.as_str(),
        begun.scope.mode.as_str(),
        operator_columns(transaction.operator.as_ref()).0,
        postings.amount(LedgerAccount::OperatorFloat),
        postings.amount(LedgerAccount::InTransit),
        postings.amount(LedgerAccount::Fees),
        postings.amount(LedgerAccount::Merchant),
        postings.amount(LedgerAccount::Refunds),
        postings.amount(LedgerAccount::Suspense),
    ])
    .map(drop)
}
