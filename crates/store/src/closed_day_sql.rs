//! The queries of closed days that both engines share. Parameters are `?1`, `?2` and so on;
//! PostgreSQL writes `$1`.

use crate::column_values::{MILLISECONDS_PER_DAY, day_number};
use jiff::civil::Date;
use tua_domain::statement::closing::EntryPosition;

/// The names of operators in the entries of the ledger. It looks up the next name each time,
/// instead of reading all entries.
macro_rules! ledger_operators {
    () => {
        "WITH RECURSIVE names (name) AS (
             SELECT min(operator) FROM ledger_entries WHERE operator IS NOT NULL
             UNION ALL
             SELECT (SELECT min(operator) FROM ledger_entries WHERE operator IS NOT NULL AND \
         operator > names.name)
             FROM names WHERE names.name IS NOT NULL) "
    };
}

pub(super) const LEDGER_OPERATORS: &str =
    concat!(ledger_operators!(), "SELECT name FROM names WHERE name IS NOT NULL ORDER BY name");

/// The operators that the database has under a name: name.
pub(super) const OPERATORS_NAMED: &str = "SELECT operator_fingerprint FROM statements WHERE \
    operator = ?1
     UNION SELECT operator_fingerprint FROM closed_days WHERE operator = ?1
     UNION SELECT operator_fingerprint FROM transactions
           WHERE id = (SELECT transaction_id FROM ledger_entries WHERE operator = ?1 ORDER BY at \
    DESC LIMIT 1)";

/// The sums of an operator's postings before a moment: fingerprint, moment.
pub(super) const POSTED_BEFORE: &str = concat!(
    "SELECT ",
    super::ledger_sql::posted_sums!(),
    " FROM ledger_entries JOIN transactions ON transactions.id = ledger_entries.transaction_id
     WHERE transactions.operator_fingerprint = ?1 AND ledger_entries.operator IS NOT NULL AND \
     ledger_entries.at < ?2"
);

/// The entries of a day that an operator has under a name: name, fingerprint, first moment, first
/// moment after it; after time, transaction and version; how many. The name leads to them, because
/// the ledger has no index of fingerprints.
pub(super) const DAY_ENTRIES: &str =
    "SELECT ledger_entries.transaction_id, ledger_entries.version, ledger_entries.at, \
     ledger_entries.account_id,
         ledger_entries.mode, ledger_entries.operator_float AS posted_operator_float,
         ledger_entries.in_transit AS posted_in_transit, ledger_entries.fees AS posted_fees,
         ledger_entries.merchant AS posted_merchant, ledger_entries.refunds AS posted_refunds,
         ledger_entries.suspense AS posted_suspense
     FROM ledger_entries CROSS JOIN transactions
     WHERE transactions.id = ledger_entries.transaction_id AND ledger_entries.operator = ?1
       AND transactions.operator_fingerprint = ?2 AND ledger_entries.at >= ?3 AND \
     ledger_entries.at < ?4
       AND (ledger_entries.at, ledger_entries.transaction_id, ledger_entries.version) > (?5, ?6, ?7)
     ORDER BY ledger_entries.at, ledger_entries.transaction_id, ledger_entries.version LIMIT ?8";

/// How many entries an operator's day has under all names: fingerprint, first moment, first moment
/// after it. SQLite joins in the order that is written here.
pub(super) const COUNT_ENTRIES: &str = concat!(
    ledger_operators!(),
    "SELECT count(*) FROM names CROSS JOIN ledger_entries CROSS JOIN transactions
     WHERE ledger_entries.operator = names.name AND ledger_entries.at >= ?2 AND ledger_entries.at \
     < ?3
       AND transactions.id = ledger_entries.transaction_id AND transactions.operator_fingerprint = \
     ?1"
);

/// How many lines were posted to an operator's day: fingerprint, day.
pub(super) const COUNT_LINES: &str =
    "SELECT count(*) FROM statement_lines WHERE operator_fingerprint = ?1 AND day = ?2";

/// An import of an operator that was cut off: fingerprint.
pub(super) const INCOMPLETE: &str = "SELECT id FROM statements WHERE operator_fingerprint = ?1 AND \
    completed_at IS NULL AND abandoned_at IS NULL ORDER BY id LIMIT 1";

/// The first and the last closed day of an operator: fingerprint.
pub(super) const FIRST_AND_LAST: &str =
    "SELECT min(day), max(day) FROM closed_days WHERE operator_fingerprint = ?1";

/// Closes a day: name, fingerprint, day, time, person, report, digest.
pub(super) const INSERT: &str =
    "INSERT INTO closed_days (operator, operator_fingerprint, day, closed_at, closed_by, report, \
     digest)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/// Closed days, newest first: fingerprint or NULL, first day, last day, how many.
pub(super) const LIST: &str = "SELECT * FROM closed_days
     WHERE (CAST(?1 AS TEXT) IS NULL OR operator_fingerprint = ?1) AND day BETWEEN ?2 AND ?3
     ORDER BY day DESC, operator LIMIT ?4";

/// The numbers of the first and the last of these days; of all days without them.
pub(super) fn day_numbers(days: Option<(Date, Date)>) -> (i64, i64) {
    days.map_or((i64::MIN, i64::MAX), |(from, to)| (day_number(from), day_number(to)))
}

/// The first moment of a day, and the first one after it.
pub(super) fn moments(day: Date) -> (i64, i64) {
    let from = day_number(day).saturating_mul(MILLISECONDS_PER_DAY);
    (from, from.saturating_add(MILLISECONDS_PER_DAY))
}

/// What the next entries come after. No transaction has an empty id.
pub(super) fn entries_after(position: Option<&EntryPosition>) -> (i64, &str, i64) {
    position.map_or((i64::MIN, "", 0), |after| {
        (after.at.as_millisecond(), after.transaction.as_str(), i64::from(after.version))
    })
}
