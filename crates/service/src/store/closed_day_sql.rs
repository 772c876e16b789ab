//! The queries of closed days that both engines share. Parameters are `?1`, `?2` and so on; PostgreSQL writes `$1`.

use crate::{
    domain::statement::closing::EntryPosition,
    store::column_values::{MILLISECONDS_PER_DAY, day_number},
};
use jiff::civil::Date;

/// The entries of an operator's day: operator, first moment, first moment after it; after time, transaction and version;
/// how many.
pub(super) const DAY_ENTRIES: &str =
    "SELECT transaction_id, version, at, account_id, mode, operator_float AS posted_operator_float,
         in_transit AS posted_in_transit, fees AS posted_fees, merchant AS posted_merchant, refunds AS posted_refunds,
         suspense AS posted_suspense
     FROM ledger_entries
     WHERE operator = ?1 AND at >= ?2 AND at < ?3 AND (at, transaction_id, version) > (?4, ?5, ?6)
     ORDER BY at, transaction_id, version LIMIT ?7";

/// How many entries an operator's day has: operator, first moment, first moment after it.
pub(super) const COUNT_ENTRIES: &str =
    "SELECT count(*) FROM ledger_entries WHERE operator = ?1 AND at >= ?2 AND at < ?3";

/// How many lines were posted to an operator's day: operator, day.
pub(super) const COUNT_LINES: &str =
    "SELECT count(*) FROM statement_lines JOIN statements ON statements.id = statement_lines.statement_id
     WHERE statements.operator = ?1 AND statement_lines.day = ?2";

/// An import of an operator that was cut off: operator.
pub(super) const INCOMPLETE: &str = "SELECT id FROM statements WHERE operator = ?1 AND completed_at IS NULL AND abandoned_at IS NULL ORDER BY id LIMIT 1";

/// The first and the last closed day of an operator: operator.
pub(super) const FIRST_AND_LAST: &str = "SELECT min(day), max(day) FROM closed_days WHERE operator = ?1";

/// Closes a day: operator, day, time, person, report, digest.
pub(super) const INSERT: &str =
    "INSERT INTO closed_days (operator, day, closed_at, closed_by, report, digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// Closed days, newest first: operator or NULL, first day, last day, how many.
pub(super) const LIST: &str = "SELECT * FROM closed_days
     WHERE (CAST(?1 AS TEXT) IS NULL OR operator = ?1) AND day BETWEEN ?2 AND ?3
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
