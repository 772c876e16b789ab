//! The sums of days for the books of a month.
//!
//! | statement | served by |
//! |---|---|
//! | the entries of some days | `ledger_entries_by_operator`, `ledger_entries_of_sandbox` (below) |
//! | the next day with entries | the first two of these, one lookup for each name |
//! | kept sums and balances of an account and mode | the primary key of `ledger_day_sums` |
//! | kept sums over all accounts, the last summed day | `ledger_day_sums_by_day` |
//! | the days that statements cover | `statements_digest`, by its first column |
//!
//! The entries are read by a statement for each name of an operator, and then by the primary keys of
//! `transactions` and `ledger_entries`.

use super::{
    closed_days::{ledger_operators, operator_names},
    ledger::sums_of,
    unknown_fees::{is_fee_known, is_fee_known_later, is_fee_late, moved_before, unknown_fees},
};
use crate::{
    column_values::{day_number, moments_of},
    columns::{day, maybe_day, maybe_time},
    rows,
    sql::{MissingRow, Parameter, Sql, TableLock},
};
use jiff::civil::Date;
use std::ops::RangeInclusive;
use tua_domain::{
    Scope,
    books::sums::{LedgerDaySum, OpeningBalance, PostedDay},
    calendar::day_of,
    ledger::LedgerAccount,
    routing::OperatorFingerprint,
};

/// The sums of the entries of some days under one name of an operator, or of the sandbox.
/// Parameters: the first moment, the first one after the days, and the name where there is one.
///
/// PostgreSQL would read the whole ledger for a join with the names. SQLite does not reorder a
/// CROSS JOIN.
macro_rules! sum_days {
    ($is_of_operator:literal) => {
        concat!(
            "SELECT entry.at / 86400000 AS day, entry.account_id, entry.mode,
         coalesce(entry.operator, '') AS operator,
         coalesce(transactions.operator_fingerprint, '') AS operator_fingerprint,
         CASE WHEN refund_of IS NULL THEN kind ELSE 'REFUND' END AS type, transactions.network,
         CAST(sum(CASE WHEN entry.merchant + entry.refunds = 0 THEN 0
                       WHEN ",
            moved_before!(),
            " = 0 THEN 1
                       WHEN ",
            moved_before!(),
            " + entry.merchant + entry.refunds = 0 THEN -1
                       ELSE 0 END) AS BIGINT) AS payments,
         ",
            unknown_fees!(),
            ",
         count(*) AS entries, ",
            sums_of!("entry"),
            " FROM ledger_entries AS entry CROSS JOIN transactions
     WHERE transactions.id = entry.transaction_id
       AND entry.",
            $is_of_operator,
            " AND entry.at >= $1 AND entry.at < $2
     GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7"
        )
    };
}

const SUM_DAYS_OF_OPERATOR: &str = sum_days!("operator = $3");
const SUM_DAYS_OF_SANDBOX: &str = sum_days!("operator IS NULL");

/// The last day whose sums are kept.
pub async fn last_summed_day<S: Sql>(db: &S) -> Result<Option<Date>, S::Error> {
    let sql = "SELECT max(day) AS day FROM ledger_day_sums";
    maybe_day(&db.query_opt(sql, &[]).await?.ok_or(MissingRow)?, "day")
}

/// The first day after this one that has entries.
pub async fn next_ledger_day<S: Sql>(
    db: &S,
    after: Option<Date>,
) -> Result<Option<Date>, S::Error> {
    let sql = concat!(
        ledger_operators!(),
        "SELECT min(at) AS at FROM (
             SELECT (SELECT min(ledger_entries.at) FROM ledger_entries
                     WHERE ledger_entries.operator = names.name AND ledger_entries.at >= $1) AS at
             FROM names WHERE name IS NOT NULL
             UNION ALL
             SELECT min(at) FROM ledger_entries WHERE operator IS NULL AND at >= $1) AS firsts"
    );
    let from = after.map_or(i64::MIN, |day| moments_of(&(day..=day)).1);
    let row = db.query_opt(sql, &[&from]).await?.ok_or(MissingRow)?;
    Ok(maybe_time(&row, "at")?.map(day_of))
}

/// The sums of some days, of all accounts and modes.
pub async fn sum_ledger_days<S: Sql>(
    db: &S,
    days: &RangeInclusive<Date>,
) -> Result<Vec<LedgerDaySum>, S::Error> {
    let (from, before) = moments_of(days);
    let mut found = db.query(SUM_DAYS_OF_SANDBOX, &[&from, &before]).await?;
    for name in operator_names(db).await? {
        let parameters: [&(dyn Parameter + Sync); 3] = [&from, &before, &name.as_str()];
        found.extend(db.query(SUM_DAYS_OF_OPERATOR, &parameters).await?);
    }
    let mut sums: Vec<LedgerDaySum> =
        found.iter().map(rows::ledger_day_sum).collect::<Result<_, S::Error>>()?;
    sums.sort_by_key(|sum| sum.day);
    Ok(sums)
}

/// Inserts the sums of a day, if `after` is still the last day whose sums are kept. Returns whether
/// it is. Another node may have inserted the day, or the kept sums may have been deleted.
pub async fn keep<S: Sql>(
    db: &S,
    after: Option<Date>,
    sums: &[LedgerDaySum],
) -> Result<bool, S::Error> {
    db.lock_table(TableLock::KeepDaySums).await?;
    if last_summed_day(db).await? != after {
        return Ok(false);
    }
    let sql = "INSERT INTO ledger_day_sums
             (account_id, mode, day, operator, operator_fingerprint, type, network, payments,
              entries, operator_float, in_transit, fees, merchant, refunds, suspense,
              unknown_fees)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";
    for sum in sums {
        let operator = sum.operator.as_ref();
        let amount = |account| sum.postings.amount(account);
        db.execute(
            sql,
            &[
                &sum.scope.account.as_str(),
                &sum.scope.mode.as_str(),
                &day_number(sum.day),
                &operator.map_or("", |pin| pin.name.as_str()),
                &operator.map_or("", |pin| pin.fingerprint.as_str()),
                &sum.transaction_type.as_str(),
                &sum.network.as_str(),
                &sum.payments,
                &i64::try_from(sum.entries).unwrap_or(i64::MAX),
                &amount(LedgerAccount::OperatorFloat),
                &amount(LedgerAccount::InTransit),
                &amount(LedgerAccount::Fees),
                &amount(LedgerAccount::Merchant),
                &amount(LedgerAccount::Refunds),
                &amount(LedgerAccount::Suspense),
                &sum.unknown_fees,
            ],
        )
        .await?;
    }
    Ok(true)
}

/// The kept sums of some days.
pub async fn kept<S: Sql>(
    db: &S,
    scope: &Scope,
    days: &RangeInclusive<Date>,
) -> Result<Vec<LedgerDaySum>, S::Error> {
    let sql = concat!(
        "SELECT day, account_id, mode, operator, operator_fingerprint, type, network,
             CAST(sum(payments) AS BIGINT) AS payments, CAST(sum(entries) AS BIGINT) AS entries,
             CAST(sum(coalesce(unknown_fees, CASE WHEN fees = 0 THEN payments ELSE 0 END)) AS
                  BIGINT) AS unknown_fees, ",
        sums_of!("ledger_day_sums"),
        " FROM ledger_day_sums
         WHERE account_id = $1 AND mode = $2 AND day BETWEEN $3 AND $4
         GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7"
    );
    let from = day_number(*days.start());
    let to = day_number(*days.end());
    let found = db.query(sql, &[&scope.account.as_str(), &scope.mode.as_str(), &from, &to]).await?;
    found.iter().map(rows::ledger_day_sum).collect()
}

/// The kept sums of all days before one.
pub async fn balances_before<S: Sql>(
    db: &S,
    scope: &Scope,
    before: Date,
) -> Result<Vec<OpeningBalance>, S::Error> {
    let sql = concat!(
        "SELECT operator, operator_fingerprint, ",
        sums_of!("ledger_day_sums"),
        " FROM ledger_day_sums WHERE account_id = $1 AND mode = $2 AND day < $3
         GROUP BY operator, operator_fingerprint ORDER BY max(day), operator"
    );
    let found = db
        .query(sql, &[&scope.account.as_str(), &scope.mode.as_str(), &day_number(before)])
        .await?;
    found.iter().map(rows::opening_balance).collect()
}

/// The kept sums of an operator, over all accounts and modes.
pub async fn posted_days<S: Sql>(
    db: &S,
    operator: &OperatorFingerprint,
    days: &RangeInclusive<Date>,
) -> Result<Vec<PostedDay>, S::Error> {
    let sql = concat!(
        "SELECT day, CAST(sum(entries) AS BIGINT) AS entries, ",
        sums_of!("ledger_day_sums"),
        " FROM ledger_day_sums WHERE day BETWEEN $1 AND $2 AND operator_fingerprint = $3
         GROUP BY day ORDER BY day"
    );
    let from = day_number(*days.start());
    let to = day_number(*days.end());
    db.query(sql, &[&from, &to, &operator.as_str()]).await?.iter().map(rows::posted_day).collect()
}

/// The days that the statements of an operator cover whose import has ended.
pub async fn covered_days<S: Sql>(
    db: &S,
    operator: &OperatorFingerprint,
    days: &RangeInclusive<Date>,
) -> Result<Vec<(Date, Date)>, S::Error> {
    let sql = "SELECT covers_from, covers_to FROM statements
         WHERE operator_fingerprint = $1 AND completed_at IS NOT NULL
           AND covers_from <= $3 AND covers_to >= $2
         ORDER BY covers_from, covers_to";
    let from = day_number(*days.start());
    let to = day_number(*days.end());
    let found = db.query(sql, &[&operator.as_str(), &from, &to]).await?;
    found.iter().map(|row| Ok((day(row, "covers_from")?, day(row, "covers_to")?))).collect()
}

/// The kept days whose sums are not those of their entries, oldest first. It reads every entry.
pub async fn wrong_days<S: Sql>(db: &S) -> Result<Vec<Date>, S::Error> {
    let sql = "SELECT day FROM (
             SELECT day, entries, operator_float, in_transit, fees, merchant, refunds, suspense
             FROM ledger_day_sums
             UNION ALL
             SELECT at / 86400000, -1, -operator_float, -in_transit, -fees, -merchant, -refunds,
                 -suspense
             FROM ledger_entries
             WHERE at < (SELECT (max(day) + 1) * 86400000 FROM ledger_day_sums)) AS differences
         GROUP BY day
         HAVING sum(entries) <> 0 OR sum(operator_float) <> 0 OR sum(in_transit) <> 0
             OR sum(fees) <> 0 OR sum(merchant) <> 0 OR sum(refunds) <> 0 OR sum(suspense) <> 0
         ORDER BY day";
    db.query(sql, &[]).await?.iter().map(|row| day(row, "day")).collect()
}
