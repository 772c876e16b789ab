//! What is read of the ledger.

use super::unknown_fees::{
    is_fee_known, is_fee_known_later, is_fee_late, moved_before, unknown_fees,
};
use crate::{
    column_values::moments_of,
    columns::number,
    rows::{self, transaction_columns},
    sql::{MissingRow, Sql},
};
use jiff::{Timestamp, civil::Date};
use std::ops::RangeInclusive;
use tua_domain::{
    AccountId, Mode, TransactionId,
    ledger::{LedgerBalance, LedgerDay, verification::PostedTransaction},
};

/// The sum of a column of rows, as the column `posted_…`.
macro_rules! sum_of {
    ($rows:literal, $column:literal) => {
        concat!("CAST(coalesce(sum(", $rows, ".", $column, "), 0) AS BIGINT) AS posted_", $column)
    };
}
pub(super) use sum_of;

/// The sums of rows that have a column for each account of the ledger.
macro_rules! sums_of {
    ($rows:literal) => {
        concat!(
            $crate::queries::ledger::sum_of!($rows, "operator_float"),
            ", ",
            $crate::queries::ledger::sum_of!($rows, "in_transit"),
            ", ",
            $crate::queries::ledger::sum_of!($rows, "fees"),
            ", ",
            $crate::queries::ledger::sum_of!($rows, "merchant"),
            ", ",
            $crate::queries::ledger::sum_of!($rows, "refunds"),
            ", ",
            $crate::queries::ledger::sum_of!($rows, "suspense"),
        )
    };
}
pub(super) use sums_of;

/// Every balance that is not that of accounts without entries.
pub async fn balances<S: Sql>(db: &S, until: Timestamp) -> Result<Vec<LedgerBalance>, S::Error> {
    let sql = concat!(
        "SELECT account_id, mode, operator, ",
        sums_of!("ledger_entries"),
        " FROM ledger_entries WHERE at <= $1
         GROUP BY account_id, mode, operator ORDER BY account_id, mode, operator"
    );
    db.query(sql, &[&until]).await?.iter().map(rows::ledger_balance).collect()
}

/// What was posted on each of these days.
pub async fn days<S: Sql>(
    db: &S,
    days: &RangeInclusive<Date>,
    account: Option<&AccountId>,
    mode: Option<Mode>,
) -> Result<Vec<LedgerDay>, S::Error> {
    let sql = concat!(
        "SELECT entry.at / 86400000 AS day, entry.account_id, entry.mode, entry.operator,
             CASE WHEN refund_of IS NULL THEN kind ELSE 'REFUND' END AS type,
             count(DISTINCT CASE WHEN entry.operator_float <> 0 OR entry.in_transit <> 0
                       OR entry.fees <> 0 OR entry.merchant <> 0 OR entry.refunds <> 0
                       OR entry.suspense <> 0 THEN entry.transaction_id END) AS transactions, ",
        unknown_fees!(),
        ", ",
        sums_of!("entry"),
        " FROM ledger_entries AS entry JOIN transactions ON transactions.id = entry.transaction_id
         WHERE entry.at >= $1 AND entry.at < $2
           AND (CAST($3 AS TEXT) IS NULL OR entry.account_id = $3)
           AND (CAST($4 AS TEXT) IS NULL OR entry.mode = $4)
         GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5"
    );
    let (from, before) = moments_of(days);
    let account = account.map(AccountId::as_str);
    let mode = mode.map(Mode::as_str);
    db.query(sql, &[&from, &before, &account, &mode]).await?.iter().map(rows::ledger_day).collect()
}

/// The next transactions, each with the sums of its postings, and with how many of its entries are
/// not balanced or do not belong to it. A transaction without entries has one row of NULLs in the
/// outer join.
pub async fn posted_transactions<S: Sql>(
    db: &S,
    after: Option<&TransactionId>,
    limit: u32,
) -> Result<Vec<PostedTransaction>, S::Error> {
    let sql = concat!(
        "WITH page AS (SELECT ",
        transaction_columns!(),
        " FROM transactions WHERE transactions.id > $1 ORDER BY transactions.id LIMIT $2),
         posted AS (SELECT page.id AS posted_id, ",
        sums_of!("ledger_entries"),
        ", count(CASE WHEN ledger_entries.transaction_id IS NULL THEN NULL
                WHEN ledger_entries.operator_float + ledger_entries.in_transit
                     + ledger_entries.fees + ledger_entries.merchant + ledger_entries.refunds
                     + ledger_entries.suspense <> 0
                  OR ledger_entries.account_id <> page.account_id
                  OR ledger_entries.mode <> page.mode
                  OR ledger_entries.operator IS DISTINCT FROM page.operator
                THEN 1 END) AS bad_entries
         FROM page LEFT JOIN ledger_entries ON ledger_entries.transaction_id = page.id
         GROUP BY page.id)
         SELECT page.*, posted.* FROM page JOIN posted ON posted.posted_id = page.id
         ORDER BY page.id"
    );
    let after = after.map_or("", TransactionId::as_str);
    db.query(sql, &[&after, &limit]).await?.iter().map(rows::posted_transaction).collect()
}

/// How many entries have no transaction.
pub async fn orphaned_entries<S: Sql>(db: &S) -> Result<u64, S::Error> {
    let sql = "SELECT count(*) AS found FROM ledger_entries WHERE NOT EXISTS
                   (SELECT 1 FROM transactions
                    WHERE transactions.id = ledger_entries.transaction_id)";
    number(&db.query_opt(sql, &[]).await?.ok_or(MissingRow)?, "found")
}
