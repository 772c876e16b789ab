//! The queries of the ledger that both engines share.

/// The sums of the postings of some entries.
macro_rules! posted_sums {
    () => {
        "CAST(coalesce(sum(ledger_entries.operator_float), 0) AS BIGINT) AS posted_operator_float,
         CAST(coalesce(sum(ledger_entries.in_transit), 0) AS BIGINT) AS posted_in_transit,
         CAST(coalesce(sum(ledger_entries.fees), 0) AS BIGINT) AS posted_fees,
         CAST(coalesce(sum(ledger_entries.merchant), 0) AS BIGINT) AS posted_merchant,
         CAST(coalesce(sum(ledger_entries.refunds), 0) AS BIGINT) AS posted_refunds,
         CAST(coalesce(sum(ledger_entries.suspense), 0) AS BIGINT) AS posted_suspense"
    };
}
pub(super) use posted_sums;

/// How many of some entries are not balanced, or do not belong to the transaction `$of`. A
/// transaction without entries has one row of NULLs in an outer join.
macro_rules! bad_entries {
    ($of:literal) => {
        concat!(
            "count(CASE WHEN ledger_entries.transaction_id IS NULL THEN NULL
                        WHEN ledger_entries.operator_float + ledger_entries.in_transit + \
             ledger_entries.fees
                             + ledger_entries.merchant + ledger_entries.refunds + \
             ledger_entries.suspense <> 0
                          OR ledger_entries.account_id <> ",
            $of,
            ".account_id OR ledger_entries.mode <> ",
            $of,
            ".mode OR ledger_entries.operator IS DISTINCT FROM ",
            $of,
            ".operator THEN 1 END) AS bad_entries"
        )
    };
}
pub(super) use bad_entries;

/// Every balance that is not that of accounts without entries.
macro_rules! ledger_balances {
    ($until:literal) => {
        concat!(
            "SELECT account_id, mode, operator, ",
            crate::ledger_sql::posted_sums!(),
            " FROM ledger_entries WHERE at <= ",
            $until,
            " GROUP BY account_id, mode, operator ORDER BY account_id, mode, operator"
        )
    };
}
pub(super) use ledger_balances;

/// What was posted from a time until before another one, by day: times, and account and mode or
/// NULL.
macro_rules! ledger_days {
    ($from:literal, $before:literal, $account:literal, $mode:literal) => {
        concat!(
            "SELECT ledger_entries.at / 86400000 AS day, ledger_entries.account_id, \
             ledger_entries.mode,
                 ledger_entries.operator,
                 CASE WHEN refund_of IS NULL THEN kind ELSE 'REFUND' END AS type,
                 count(DISTINCT ledger_entries.transaction_id) AS transactions, ",
            crate::ledger_sql::posted_sums!(),
            " FROM ledger_entries JOIN transactions ON transactions.id = \
             ledger_entries.transaction_id
              WHERE ledger_entries.at >= ",
            $from,
            " AND ledger_entries.at < ",
            $before,
            " AND (CAST(",
            $account,
            " AS TEXT) IS NULL OR ledger_entries.account_id = ",
            $account,
            ") AND (CAST(",
            $mode,
            " AS TEXT) IS NULL OR ledger_entries.mode = ",
            $mode,
            ") GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5"
        )
    };
}
pub(super) use ledger_days;

/// How many entries have no transaction.
pub(super) const ORPHANED_ENTRIES: &str = "SELECT count(*) FROM ledger_entries WHERE NOT EXISTS
     (SELECT 1 FROM transactions WHERE transactions.id = ledger_entries.transaction_id)";
