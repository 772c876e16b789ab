//! Lists, sums and figures for people.

use super::{
    report_sql::{self, Query},
    webhooks::is_endpoint,
};
use crate::{
    column_values::{self, day_number},
    columns::{number, text},
    rows::{self, checkout_columns, delivery_columns},
    sql::{MissingRow, Parameter, Sql, TableLock},
};
use jiff::{Timestamp, civil::Date};
use std::ops::RangeInclusive;
use tua_domain::{
    AccountId, Checkout, KeyId, Mode, Scope, Transaction, TransactionId, TransactionOrder,
    reporting::{
        DayFees, DayTotal, FailureCount, FilterTotals, FirstStepsFacts, ReportFilter,
        ReportPageRequest, WaitingTimes,
    },
    webhook::Delivery,
};

/// A page of the transactions of a filter, newest first, and one transaction more.
pub async fn page<S: Sql>(
    db: &S,
    scope: &Scope,
    filter: &ReportFilter,
    page: &ReportPageRequest,
) -> Result<Vec<Transaction>, S::Error> {
    let found = run(db, &report_sql::page(S::index_hint, scope, filter, page)).await?;
    let mut found: Vec<Transaction> =
        found.iter().map(rows::transaction).collect::<Result<_, S::Error>>()?;
    column_values::newest_first(&mut found);
    Ok(found)
}

/// How many transactions of a filter there are, and their sums.
pub async fn totals<S: Sql>(
    db: &S,
    scope: &Scope,
    filter: &ReportFilter,
) -> Result<FilterTotals, S::Error> {
    let found = run(db, &report_sql::totals(S::index_hint, scope, filter)).await?;
    let totals = found.iter().map(rows::filter_total).collect::<Result<_, S::Error>>()?;
    Ok(FilterTotals::new(filter, totals))
}

async fn run<S: Sql>(db: &S, query: &Query) -> Result<Vec<S::Row>, S::Error> {
    let values: Vec<&(dyn Parameter + Sync)> =
        query.values.iter().map(|value| value as &(dyn Parameter + Sync)).collect();
    db.query(&query.sql, &values).await
}

/// The totals of these days, of one account and mode.
pub async fn day_totals<S: Sql>(
    db: &S,
    scope: &Scope,
    days: &RangeInclusive<Date>,
) -> Result<Vec<DayTotal>, S::Error> {
    let from = day_number(*days.start());
    let to = day_number(*days.end());
    let found = db
        .query(report_sql::DAY_TOTALS, &[&scope.account.as_str(), &scope.mode.as_str(), &from, &to])
        .await?;
    found.iter().map(rows::day_total).collect()
}

/// The fees of these days, of one account and mode.
pub async fn day_fees<S: Sql>(
    db: &S,
    scope: &Scope,
    days: &RangeInclusive<Date>,
) -> Result<Vec<DayFees>, S::Error> {
    let from = day_number(*days.start());
    let to = day_number(*days.end());
    let found = db
        .query(report_sql::DAY_FEES, &[&scope.account.as_str(), &scope.mode.as_str(), &from, &to])
        .await?;
    found.iter().map(rows::day_fees).collect()
}

/// How many charges of these days failed for each reason, among at most
/// [`MAX_FAILURES`](tua_domain::reporting::failures::MAX_FAILURES) transactions of each.
pub async fn charge_failures<S: Sql>(
    db: &S,
    scope: &Scope,
    days: &RangeInclusive<Date>,
) -> Result<Vec<FailureCount>, S::Error> {
    let found = run(db, &report_sql::charge_failures(S::index_hint, scope, days)).await?;
    found.iter().map(rows::failure_count).collect()
}

/// Recomputes the daily totals. Returns the number of final transactions.
pub async fn rebuild_totals<S: Sql>(db: &S) -> Result<u64, S::Error> {
    db.allow_long_statements().await?;
    db.lock_table(TableLock::RebuildTotals).await?;
    db.execute("DELETE FROM transaction_days", &[]).await?;
    db.execute("DELETE FROM refund_days", &[]).await?;
    db.execute("DELETE FROM fee_days", &[]).await?;
    // The next reading sums these days up again.
    db.execute("DELETE FROM ledger_day_sums", &[]).await?;
    db.execute(report_sql::REBUILD, &[]).await?;
    db.execute(report_sql::REBUILD_REFUNDS, &[]).await?;
    db.execute(report_sql::REBUILD_FEES, &[]).await?;
    let sum = "SELECT CAST(coalesce(sum(payments), 0) AS BIGINT) AS payments FROM transaction_days";
    number(&db.query_opt(sum, &[]).await?.ok_or(MissingRow)?, "payments")
}

/// What an account has of the first steps that the dashboard shows.
pub async fn first_steps<S: Sql>(
    db: &S,
    account: &AccountId,
    now: Timestamp,
) -> Result<FirstStepsFacts, S::Error> {
    let found = db.query_opt(report_sql::FIRST_STEPS, &[&account.as_str(), &now]).await?;
    rows::first_steps(&found.ok_or(MissingRow)?)
}

/// The accounts that have a key of this mode which is valid at this time, or a transaction in it,
/// by id.
pub async fn accounts_of_mode<S: Sql>(
    db: &S,
    mode: Mode,
    now: Timestamp,
) -> Result<Vec<AccountId>, S::Error> {
    let found = db.query(report_sql::ACCOUNTS_OF_MODE, &[&mode.as_str(), &now]).await?;
    found.iter().map(|row| Ok(AccountId::new(text(row, "id")?))).collect()
}

/// The times at which a transaction is due for something, or since which it waits for something.
pub async fn waiting_times<S: Sql>(
    db: &S,
    id: &TransactionId,
) -> Result<Option<WaitingTimes>, S::Error> {
    let sql = "SELECT ask_at, send_at, acknowledged_at, delayed_at, review_at, unserved_at,
                      attention, clock_advanced_ms, approval_due
               FROM transactions WHERE id = $1";
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(rows::waiting_times).transpose()
}

/// The webhook deliveries about a transaction, the oldest first, at most a hundred.
pub async fn deliveries_of<S: Sql>(
    db: &S,
    transaction: &TransactionOrder,
) -> Result<Vec<Delivery>, S::Error> {
    let sql = concat!(
        "SELECT ",
        delivery_columns!(),
        " FROM webhook_endpoints JOIN webhook_deliveries ON endpoint_id = webhook_endpoints.id
          WHERE account_id = $1 AND mode = $2 AND ",
        is_endpoint!(),
        "
            AND webhook_deliveries.id >= $3 AND subject = $4
          ORDER BY webhook_deliveries.id LIMIT 100"
    );
    let scope = &transaction.scope;
    let from = column_values::first_delivery_id(transaction.id.as_str());
    let found = db
        .query(
            sql,
            &[&scope.account.as_str(), &scope.mode.as_str(), &from, &transaction.id.as_str()],
        )
        .await?;
    found.iter().map(rows::delivery).collect()
}

/// Who created a key in the dashboard, or one that it has succeeded by rotation.
pub async fn key_makers<S: Sql>(db: &S, id: &KeyId) -> Result<Vec<String>, S::Error> {
    let makers = db.query(report_sql::KEY_MAKERS, &[&id.as_str()]).await?;
    makers.iter().map(|row| text(row, "actor")).collect()
}

/// Who requested a payout or refund in the dashboard.
pub async fn payout_asker<S: Sql>(db: &S, id: &TransactionId) -> Result<Option<String>, S::Error> {
    let found = db.query_opt(report_sql::PAYOUT_ASKER, &[&id.as_str()]).await?;
    found.map(|row| text(&row, "actor")).transpose()
}

/// The open checkout sessions. Or, with a text: the session with this id, and those with this
/// reference that are open or had a charge.
pub async fn checkouts<S: Sql>(
    db: &S,
    scope: &Scope,
    text: Option<&str>,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Checkout>, S::Error> {
    let account = scope.account.as_str();
    let mode = scope.mode.as_str();
    let columns = checkout_columns!();
    let joined = "JOIN accounts ON accounts.id = checkouts.account_id";
    let expiring = S::index_hint("checkouts_expiring");
    let found = match text {
        None => {
            let sql = format!(
                "SELECT {columns} FROM checkouts{expiring} {joined}
                 WHERE expiry_due IS NOT NULL AND expires_at > $3
                   AND (closed_at IS NULL OR closed_at > $3) AND account_id = $1 AND mode = $2
                 ORDER BY checkouts.id DESC LIMIT $4"
            );
            db.query(&sql, &[&account, &mode, &now, &limit]).await?
        }
        Some(text) => {
            let sql = format!(
                "SELECT {columns} FROM checkouts {joined}
                 WHERE account_id = $1 AND mode = $2 AND checkouts.id IN
                     (SELECT CAST($3 AS TEXT)
                      UNION SELECT id FROM checkouts{expiring}
                      WHERE expiry_due IS NOT NULL AND reference = $3
                      UNION SELECT checkout_id FROM transactions
                      WHERE account_id = $1 AND mode = $2 AND reference = $3
                        AND checkout_id IS NOT NULL)
                 ORDER BY checkouts.id DESC LIMIT $4"
            );
            db.query(&sql, &[&account, &mode, &text, &limit]).await?
        }
    };
    found.iter().map(rows::checkout).collect()
}
