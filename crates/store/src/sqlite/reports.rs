//! Lists, sums and figures for people.

use super::{SqliteStore, record::Record};
use crate::{
    column_values,
    report_conditions::{Dialect, Value},
    report_sql::{self, Query},
    rows,
};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use rusqlite::{Connection, OptionalExtension, Result, Row, params, params_from_iter, types};
use std::ops::RangeInclusive;
use tua_domain::{
    AccountId, Checkout, Event, KeyId, Mode, Scope, Transaction, TransactionId,
    ports::{Reports, StoreError},
    reporting::{DayTotal, FilterTotals, FirstStepsFacts, ReportFilter, ReportPage, WaitingTimes},
    webhook::Delivery,
};

#[async_trait]
impl Reports for SqliteStore {
    async fn report_transactions(
        &self,
        scope: &Scope,
        filter: &ReportFilter,
        page: &ReportPage,
    ) -> std::result::Result<Vec<Transaction>, StoreError> {
        let query = report_sql::page(Dialect::Sqlite, "*", scope, filter, page);
        let mut found =
            self.readers.read_many(move |db| all(db, query, |row| rows::transaction(row))).await?;
        column_values::newest_first(&mut found);
        Ok(found)
    }

    async fn report_totals(
        &self,
        scope: &Scope,
        filter: &ReportFilter,
    ) -> std::result::Result<FilterTotals, StoreError> {
        let query = report_sql::totals(Dialect::Sqlite, scope, filter);
        self.readers
            .read_many(move |db| all(db, query, |row| rows::filter_total(row)))
            .await
            .map(|totals| FilterTotals::new(filter, totals))
    }

    async fn day_totals(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> std::result::Result<Vec<DayTotal>, StoreError> {
        let scope = scope.clone();
        self.readers
            .read_many(move |db| {
                let from = column_values::day_number(*days.start());
                let to = column_values::day_number(*days.end());
                let parameters = params![scope.account.as_str(), scope.mode.as_str(), from, to];
                db.prepare_cached(report_sql::DAY_TOTALS)?
                    .query_map(parameters, |row| rows::day_total(&Record::new(row)))?
                    .collect()
            })
            .await
    }

    async fn first_steps(
        &self,
        account: &AccountId,
        now: Timestamp,
    ) -> std::result::Result<FirstStepsFacts, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached(report_sql::FIRST_STEPS)?
                .query_row(params![account.as_str(), now.as_millisecond()], |row| {
                    rows::first_steps(&Record::new(row))
                })
        })
    }

    async fn rebuild_day_totals(&self) -> std::result::Result<u64, StoreError> {
        self.writer
            .write(|db| {
                db.execute("DELETE FROM transaction_days", [])?;
                db.execute(report_sql::REBUILD, [])?;
                let payments: i64 = db.query_row(
                    "SELECT coalesce(sum(payments), 0) FROM transaction_days",
                    [],
                    |row| row.get(0),
                )?;
                Ok(payments.unsigned_abs())
            })
            .await
    }

    async fn accounts_of_mode(
        &self,
        mode: Mode,
        now: Timestamp,
    ) -> std::result::Result<Vec<AccountId>, StoreError> {
        self.readers
            .read_many(move |db| {
                db.prepare_cached(report_sql::ACCOUNTS_OF_MODE)?
                    .query_map((mode.as_str(), now.as_millisecond()), |row| {
                        row.get(0).map(|id: String| AccountId::new(id))
                    })?
                    .collect()
            })
            .await
    }

    async fn waiting_times(
        &self,
        id: &TransactionId,
    ) -> std::result::Result<Option<WaitingTimes>, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT * FROM transactions WHERE id = ?1")?
                .query_row([id.as_str()], |row| rows::waiting_times(&Record::new(row)))
                .optional()
        })
    }

    async fn deliveries_of(
        &self,
        transaction: &Transaction,
    ) -> std::result::Result<Vec<Delivery>, StoreError> {
        let (begun, from) =
            (&transaction.begun, column_values::first_delivery_id(&transaction.begun.id));
        self.readers.read(|db| {
            db.prepare_cached(
                "SELECT webhook_deliveries.* FROM webhook_endpoints
                 JOIN webhook_deliveries ON endpoint_id = webhook_endpoints.id
                 WHERE account_id = ?1 AND mode = ?2 AND webhook_deliveries.id >= ?3 AND subject = \
                 ?4
                 ORDER BY webhook_deliveries.id LIMIT 100",
            )?
            .query_map(
                params![
                    begun.scope.account.as_str(),
                    begun.scope.mode.as_str(),
                    from,
                    begun.id.as_str()
                ],
                |row| rows::delivery(&Record::new(row)),
            )?
            .collect()
        })
    }

    async fn key_makers(&self, id: &KeyId) -> std::result::Result<Vec<String>, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached(report_sql::KEY_MAKERS)?
                .query_map([id.as_str()], |row| row.get(0))?
                .collect()
        })
    }

    async fn refund_asker(
        &self,
        id: &TransactionId,
    ) -> std::result::Result<Option<String>, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached(report_sql::REFUND_ASKER)?
                .query_row([id.as_str()], |row| row.get(0))
                .optional()
        })
    }

    async fn report_checkouts(
        &self,
        scope: &Scope,
        text: Option<&str>,
        now: Timestamp,
        most: u32,
    ) -> std::result::Result<Vec<Checkout>, StoreError> {
        let scope = scope.clone();
        let text = text.map(str::to_owned);
        self.readers.read_many(move |db| checkouts(db, &scope, text.as_deref(), now, most)).await
    }
}

fn checkouts(
    db: &Connection,
    scope: &Scope,
    text: Option<&str>,
    now: Timestamp,
    most: u32,
) -> Result<Vec<Checkout>> {
    const OPEN: &str = "SELECT checkouts.*, accounts.name AS merchant, accounts.accent, \
        accounts.logo
         FROM checkouts INDEXED BY checkouts_expiring JOIN accounts ON accounts.id = \
        checkouts.account_id
         WHERE expiry_due IS NOT NULL AND expires_at > ?3 AND (closed_at IS NULL OR closed_at > ?3)
           AND account_id = ?1 AND mode = ?2
         ORDER BY checkouts.id DESC LIMIT ?4";
    const FOUND: &str =
        "SELECT checkouts.*, accounts.name AS merchant, accounts.accent, accounts.logo
         FROM checkouts JOIN accounts ON accounts.id = checkouts.account_id
         WHERE account_id = ?1 AND mode = ?2 AND checkouts.id IN
             (SELECT ?3
              UNION SELECT id FROM checkouts INDEXED BY checkouts_expiring
              WHERE expiry_due IS NOT NULL AND reference = ?3
              UNION SELECT checkout_id FROM transactions
              WHERE account_id = ?1 AND mode = ?2 AND reference = ?3 AND checkout_id IS NOT NULL)
         ORDER BY checkouts.id DESC LIMIT ?4";
    let account = scope.account.as_str();
    let mode = scope.mode.as_str();
    let read = |row: &Row<'_>| rows::checkout(&Record::new(row));
    match text {
        None => db
            .prepare_cached(OPEN)?
            .query_map(params![account, mode, now.as_millisecond(), most], read)?
            .collect(),
        Some(text) => {
            db.prepare_cached(FOUND)?.query_map(params![account, mode, text, most], read)?.collect()
        }
    }
}

fn all<T>(
    db: &Connection,
    query: Query,
    read: impl Fn(&Record<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let value = |value| match value {
        Value::Text(text) => types::Value::Text(text),
        Value::Integer(number) => types::Value::Integer(number),
    };
    db.prepare_cached(&query.sql)?
        .query_map(params_from_iter(query.values.into_iter().map(value)), |row| {
            read(&Record::new(row))
        })?
        .collect()
}

/// Adds a transaction to the totals of its day, with the event that made it final.
pub(super) fn count_final(db: &Connection, transaction: &Transaction, event: &Event) -> Result<()> {
    if !column_values::makes_final(event) {
        return Ok(());
    }
    let begun = &transaction.begun;
    db.prepare_cached(
        "INSERT INTO transaction_days (account_id, mode, day, kind, network, status, shard, \
         payments, pesewas)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 1, ?7)
         ON CONFLICT DO UPDATE SET payments = payments + 1, pesewas = pesewas + excluded.pesewas",
    )?
    .execute(params![
        begun.scope.account.as_str(),
        begun.scope.mode.as_str(),
        column_values::day_of_creation(transaction),
        begun.transfer.kind.as_str(),
        begun.transfer.network.as_str(),
        transaction.state.status().as_str(),
        column_values::moved_pesewas(transaction),
    ])
    .map(drop)
}
