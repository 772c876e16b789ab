//! Lists, sums and figures for people.

use super::{
    PostgresStore,
    batch_ops::column,
    checkouts::select,
    db::Db,
    deliveries::delivery_columns,
    error::{Error, Result},
    record::at,
};
use crate::in_doubt::InDoubt;
use crate::{
    column_values,
    report_conditions::{Dialect, Value},
    report_sql::{self, Query},
    rows::{self, transaction_columns},
};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use std::ops::RangeInclusive;
use tokio_postgres::{Row, types::ToSql};
use tua_domain::{
    AccountId, Checkout, Event, KeyId, Mode, Scope, Transaction, TransactionId,
    ports::{Reports, StoreError},
    reporting::{DayTotal, FilterTotals, FirstStepsFacts, ReportFilter, ReportPage, WaitingTimes},
    webhook::Delivery,
};

impl PostgresStore {
    /// Who made the change that a query finds in the audit log.
    async fn actor(
        &self,
        sql: &'static str,
        subject: &str,
    ) -> std::result::Result<Option<String>, StoreError> {
        self.tx
            .read(|db| async move {
                let found = db.query_opt(sql, &[&subject]).await?;
                Ok(found.map(|row| row.try_get(0)).transpose()?)
            })
            .await
    }
}

#[async_trait]
impl Reports for PostgresStore {
    async fn report_transactions(
        &self,
        scope: &Scope,
        filter: &ReportFilter,
        page: &ReportPage,
    ) -> std::result::Result<Vec<Transaction>, StoreError> {
        let query =
            &report_sql::page(Dialect::Postgres, transaction_columns!(), scope, filter, page);
        let mut found: Vec<Transaction> = self
            .tx
            .read(
                |db| async move { all(&db, query).await?.iter().map(rows::transaction).collect() },
            )
            .await?;
        column_values::newest_first(&mut found);
        Ok(found)
    }

    async fn report_totals(
        &self,
        scope: &Scope,
        filter: &ReportFilter,
    ) -> std::result::Result<FilterTotals, StoreError> {
        let query = &report_sql::totals(Dialect::Postgres, scope, filter);
        self.tx
            .read(
                |db| async move { all(&db, query).await?.iter().map(rows::filter_total).collect() },
            )
            .await
            .map(|totals| FilterTotals::new(filter, totals))
    }

    async fn day_totals(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> std::result::Result<Vec<DayTotal>, StoreError> {
        let (from, to) =
            (&column_values::day_number(*days.start()), &column_values::day_number(*days.end()));
        self.tx
            .read(|db| async move {
                let parameters: super::db::Parameters<'_> =
                    &[&scope.account.as_str(), &scope.mode.as_str(), from, to];
                db.query(report_sql::DAY_TOTALS, parameters)
                    .await?
                    .iter()
                    .map(rows::day_total)
                    .collect()
            })
            .await
    }

    async fn first_steps(
        &self,
        account: &AccountId,
        now: Timestamp,
    ) -> std::result::Result<FirstStepsFacts, StoreError> {
        self.tx
            .read(|db| async move {
                let found =
                    db.query_opt(report_sql::FIRST_STEPS, &[&account.as_str(), &at(now)]).await?;
                rows::first_steps(&found.ok_or(Error::MissingRow)?)
            })
            .await
    }

    async fn rebuild_day_totals(&self) -> std::result::Result<u64, StoreError> {
        self.tx
            .write(InDoubt::Retry, |db| async move {
                db.allow_long_statements().await?;
                // Waits for transactions that have counted something, and makes the next ones wait,
                // so that none is counted twice or not at all.
                db.batch(
                    "LOCK TABLE transaction_days IN EXCLUSIVE MODE; DELETE FROM transaction_days",
                )
                .await?;
                db.execute(report_sql::REBUILD, &[]).await?;
                let sum = "SELECT CAST(coalesce(sum(payments), 0) AS BIGINT) FROM transaction_days";
                let payments: i64 =
                    db.query_opt(sum, &[]).await?.ok_or(Error::MissingRow)?.try_get(0)?;
                Ok(payments.unsigned_abs())
            })
            .await
    }

    async fn accounts_of_mode(
        &self,
        mode: Mode,
        now: Timestamp,
    ) -> std::result::Result<Vec<AccountId>, StoreError> {
        self.tx
            .read(|db| async move {
                let found =
                    db.query(report_sql::ACCOUNTS_OF_MODE, &[&mode.as_str(), &at(now)]).await?;
                found.iter().map(|row| Ok(AccountId::new(row.try_get::<_, String>(0)?))).collect()
            })
            .await
    }

    async fn waiting_times(
        &self,
        id: &TransactionId,
    ) -> std::result::Result<Option<WaitingTimes>, StoreError> {
        let sql = "SELECT ask_at, send_at, acknowledged_at, delayed_at, review_at, unserved_at, \
            attention, approval_due
                   FROM transactions WHERE id = $1";
        self.tx
            .read(|db| async move {
                db.query_opt(sql, &[&id.as_str()])
                    .await?
                    .as_ref()
                    .map(rows::waiting_times)
                    .transpose()
            })
            .await
    }

    async fn deliveries_of(
        &self,
        transaction: &Transaction,
    ) -> std::result::Result<Vec<Delivery>, StoreError> {
        let (begun, from) =
            (&transaction.begun, &column_values::first_delivery_id(&transaction.begun.id));
        let sql = concat!(
            "SELECT ",
            delivery_columns!(),
            " FROM webhook_endpoints JOIN webhook_deliveries ON endpoint_id = webhook_endpoints.id
              WHERE account_id = $1 AND mode = $2 AND webhook_deliveries.id >= $3 AND subject = $4
              ORDER BY webhook_deliveries.id LIMIT 100"
        );
        self.tx
            .read(|db| async move {
                let account = begun.scope.account.as_str();
                let mode = begun.scope.mode.as_str();
                let found = db.query(sql, &[&account, &mode, from, &begun.id.as_str()]).await?;
                found.iter().map(rows::delivery).collect()
            })
            .await
    }

    async fn key_makers(&self, id: &KeyId) -> std::result::Result<Vec<String>, StoreError> {
        self.tx
            .read(|db| async move {
                let makers = db.query(report_sql::KEY_MAKERS, &[&id.as_str()]).await?;
                makers.iter().map(|row| Ok(row.try_get(0)?)).collect()
            })
            .await
    }

    async fn refund_asker(
        &self,
        id: &TransactionId,
    ) -> std::result::Result<Option<String>, StoreError> {
        self.actor(report_sql::REFUND_ASKER, id.as_str()).await
    }

    async fn report_checkouts(
        &self,
        scope: &Scope,
        text: Option<&str>,
        now: Timestamp,
        most: u32,
    ) -> std::result::Result<Vec<Checkout>, StoreError> {
        self.tx.read(|db| async move { checkouts(&db, scope, text, now, most).await }).await
    }
}

async fn checkouts(
    db: &Db,
    scope: &Scope,
    text: Option<&str>,
    now: Timestamp,
    most: u32,
) -> Result<Vec<Checkout>> {
    const OPEN: &str = concat!(
        select!(""),
        " WHERE expiry_due IS NOT NULL AND expires_at > $3 AND (closed_at IS NULL OR closed_at > \
         $3) AND account_id = $1 AND mode = $2
          ORDER BY checkouts.id DESC LIMIT $4"
    );
    const FOUND: &str = concat!(
        select!(""),
        " WHERE account_id = $1 AND mode = $2 AND checkouts.id IN
             (SELECT $3::text
              UNION SELECT id FROM checkouts WHERE expiry_due IS NOT NULL AND reference = $3
              UNION SELECT checkout_id FROM transactions
              WHERE account_id = $1 AND mode = $2 AND reference = $3 AND checkout_id IS NOT NULL)
          ORDER BY checkouts.id DESC LIMIT $4"
    );
    let account = scope.account.as_str();
    let mode = scope.mode.as_str();
    let most = i64::from(most);
    let found = match text {
        None => db.query(OPEN, &[&account, &mode, &at(now), &most]).await?,
        Some(text) => db.query(FOUND, &[&account, &mode, &text, &most]).await?,
    };
    found.iter().map(rows::checkout).collect()
}

async fn all(db: &Db, query: &Query) -> Result<Vec<Row>> {
    let values: Vec<&(dyn ToSql + Sync)> = query.values.iter().map(parameter).collect();
    db.query(&query.sql, &values).await
}

fn parameter(value: &Value) -> &(dyn ToSql + Sync) {
    match value {
        Value::Text(text) => text,
        Value::Integer(number) => number,
    }
}

/// Adds transactions to the totals of their days, with the events that made them final. Each
/// connection has rows of its own (`shard`), so that concurrent transactions do not wait for each
/// other.
pub(super) async fn count_final(db: &Db, taken: &[(&Transaction, &Event)]) -> Result<()> {
    let ended: Vec<&Transaction> = taken
        .iter()
        .filter(|(_, event)| column_values::makes_final(event))
        .map(|(after, _)| *after)
        .collect();
    if ended.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO transaction_days (account_id, mode, day, kind, network, status, shard, \
        payments, pesewas)
               SELECT account_id, mode, day, kind, network, status, pg_backend_pid() % 64, count(*),
                      CAST(sum(pesewas) AS BIGINT)
               FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], \
        $6::text[], $7::bigint[])
                    AS ended (account_id, mode, day, kind, network, status, pesewas)
               GROUP BY account_id, mode, day, kind, network, status
               ORDER BY account_id, mode, day, kind, network, status
               ON CONFLICT (account_id, mode, day, kind, network, status, shard) DO UPDATE
               SET payments = transaction_days.payments + excluded.payments,
                   pesewas = transaction_days.pesewas + excluded.pesewas";
    let parameters: super::db::Parameters<'_> = &[
        &column(&ended, |one| one.begun.scope.account.as_str()),
        &column(&ended, |one| one.begun.scope.mode.as_str()),
        &column(&ended, |one| column_values::day_of_creation(one)),
        &column(&ended, |one| one.begun.transfer.kind.as_str()),
        &column(&ended, |one| one.begun.transfer.network.as_str()),
        &column(&ended, |one| one.state.status().as_str()),
        &column(&ended, |one| column_values::moved_pesewas(one)),
    ];
    db.execute(sql, parameters).await.map(drop)
}
