//! Closed days are inserted and read.

use super::{audit, ledger::sums_of};
use crate::{
    audit_values, closed_day_json,
    column_values::{MILLISECONDS_PER_DAY, day_number},
    columns::{maybe_day, number, text},
    rows,
    sql::{MissingRow, Parameters, Sql, TableLock},
    write_error::WriteError,
};
use jiff::civil::Date;
use tua_domain::{
    StatementId,
    audit::AuditContext,
    ledger::Postings,
    routing::{OperatorFingerprint, OperatorName, PinnedOperator},
    statement::closing::{CloseDayError, ClosedDay, EntryPosition, LedgerEntry, check_order},
};

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
pub(super) use ledger_operators;

/// How many ledger entries an operator's day has under all names. Parameters: fingerprint, start of
/// the day, start of the next day. SQLite does not reorder a CROSS JOIN.
const COUNT_ENTRIES: &str = concat!(
    ledger_operators!(),
    "SELECT count(*) AS found FROM names CROSS JOIN ledger_entries CROSS JOIN transactions
     WHERE ledger_entries.operator = names.name AND ledger_entries.at >= $2 AND ledger_entries.at \
     < $3
       AND transactions.id = ledger_entries.transaction_id AND transactions.operator_fingerprint = \
     $1"
);

/// How many lines were posted to an operator's day. Parameters: fingerprint, day.
const COUNT_LINES: &str =
    "SELECT count(*) AS found FROM statement_lines WHERE operator_fingerprint = $1 AND day = $2";

/// The names of operators, in their order.
pub async fn operator_names<S: Sql>(db: &S) -> Result<Vec<OperatorName>, S::Error> {
    let sql =
        concat!(ledger_operators!(), "SELECT name FROM names WHERE name IS NOT NULL ORDER BY name");
    db.query(sql, &[])
        .await?
        .iter()
        .map(|row| text(row, "name").map(OperatorName::of_row))
        .collect()
}

/// The fingerprints that statements, closed days or the newest ledger entry have under this name.
pub async fn operators_named<S: Sql>(
    db: &S,
    name: &OperatorName,
) -> Result<Vec<OperatorFingerprint>, S::Error> {
    let sql = "SELECT operator_fingerprint FROM statements WHERE operator = $1
         UNION SELECT operator_fingerprint FROM closed_days WHERE operator = $1
         UNION SELECT operator_fingerprint FROM transactions
               WHERE id = (SELECT transaction_id FROM ledger_entries WHERE operator = $1 ORDER BY \
        at DESC LIMIT 1)";
    db.query(sql, &[&name.as_str()])
        .await?
        .iter()
        .map(|row| text(row, "operator_fingerprint").map(OperatorFingerprint::of_row))
        .collect()
}

/// The sums of an operator's postings before a day.
pub async fn postings_before<S: Sql>(
    db: &S,
    operator: &OperatorFingerprint,
    day: Date,
) -> Result<Postings, S::Error> {
    let sql = concat!(
        "SELECT ",
        sums_of!("ledger_entries"),
        " FROM ledger_entries JOIN transactions ON transactions.id = ledger_entries.transaction_id
         WHERE transactions.operator_fingerprint = $1 AND ledger_entries.operator IS NOT NULL
           AND ledger_entries.at < $2"
    );
    let (before, _) = day_bounds_ms(day);
    rows::postings(&db.query_opt(sql, &[&operator.as_str(), &before]).await?.ok_or(MissingRow)?)
}

/// The entries of a day that an operator has under a name. The name leads to them, because the
/// ledger has no index of fingerprints.
pub async fn entries<S: Sql>(
    db: &S,
    operator: &PinnedOperator,
    day: Date,
    after: Option<&EntryPosition>,
    limit: u32,
) -> Result<Vec<LedgerEntry>, S::Error> {
    let sql = "SELECT ledger_entries.transaction_id, ledger_entries.version, ledger_entries.at, \
         ledger_entries.account_id,
             ledger_entries.mode, ledger_entries.operator_float AS posted_operator_float,
             ledger_entries.in_transit AS posted_in_transit, ledger_entries.fees AS posted_fees,
             ledger_entries.merchant AS posted_merchant, ledger_entries.refunds AS \
         posted_refunds,
             ledger_entries.suspense AS posted_suspense
         FROM ledger_entries CROSS JOIN transactions
         WHERE transactions.id = ledger_entries.transaction_id AND ledger_entries.operator = $1
           AND transactions.operator_fingerprint = $2 AND ledger_entries.at >= $3
           AND ledger_entries.at < $4
           AND (ledger_entries.at, ledger_entries.transaction_id, ledger_entries.version)
               > ($5, $6, $7)
         ORDER BY ledger_entries.at, ledger_entries.transaction_id, ledger_entries.version
         LIMIT $8";
    let (from, before) = day_bounds_ms(day);
    // No transaction has an empty id.
    let (at, transaction, version) = after.map_or((i64::MIN, "", 0), |after| {
        (after.at.as_millisecond(), after.transaction.as_str(), after.version)
    });
    let name = operator.name.as_str();
    let fingerprint = operator.fingerprint.as_str();
    db.query(sql, &[&name, &fingerprint, &from, &before, &at, &transaction, &version, &limit])
        .await?
        .iter()
        .map(rows::ledger_entry)
        .collect()
}

/// Closed days, newest first: of an operator or all, of all days or from one to another.
pub async fn list<S: Sql>(
    db: &S,
    operator: Option<&OperatorFingerprint>,
    days: Option<(Date, Date)>,
    limit: u32,
) -> Result<Vec<ClosedDay>, S::Error> {
    let sql = "SELECT operator, operator_fingerprint, day, closed_at, closed_by, report, digest
         FROM closed_days
         WHERE (CAST($1 AS TEXT) IS NULL OR operator_fingerprint = $1) AND day BETWEEN $2 AND $3
         ORDER BY day DESC, operator LIMIT $4";
    let (from, to) =
        days.map_or((i64::MIN, i64::MAX), |(from, to)| (day_number(from), day_number(to)));
    let operator = operator.map(OperatorFingerprint::as_str);
    db.query(sql, &[&operator, &from, &to, &limit]).await?.iter().map(rows::closed_day).collect()
}

/// Waits for a day that is being closed, and lets none be closed until the end of the database
/// transaction. Returns the operator's first and last closed day.
pub(super) async fn keep_open<S: Sql>(
    db: &S,
    operator: &OperatorFingerprint,
) -> Result<Option<(Date, Date)>, S::Error> {
    db.lock_table(TableLock::KeepDaysOpen).await?;
    first_and_last(db, operator).await
}

async fn first_and_last<S: Sql>(
    db: &S,
    operator: &OperatorFingerprint,
) -> Result<Option<(Date, Date)>, S::Error> {
    let sql = "SELECT min(day) AS first_day, max(day) AS last_day FROM closed_days
         WHERE operator_fingerprint = $1";
    let row = db.query_opt(sql, &[&operator.as_str()]).await?.ok_or(MissingRow)?;
    Ok(maybe_day(&row, "first_day")?.zip(maybe_day(&row, "last_day")?))
}

async fn count<S: Sql>(db: &S, sql: &str, parameters: Parameters<'_>) -> Result<u64, S::Error> {
    number(&db.query_opt(sql, parameters).await?.ok_or(MissingRow)?, "found")
}

/// Closes a day, if nothing changed since its figures were made.
pub async fn close<S: Sql>(
    db: &S,
    closed: &ClosedDay,
    by: &AuditContext,
) -> Result<(), WriteError<CloseDayError, S::Error>> {
    // No line is imported meanwhile.
    db.lock_table(TableLock::CloseDay).await?;
    let PinnedOperator { name, fingerprint } = &closed.operator;
    let operator = fingerprint.as_str();
    let day = day_number(closed.day);
    check_order(first_and_last(db, fingerprint).await?, closed.day)
        .map_err(WriteError::Rejected)?;
    let incomplete = "SELECT id FROM statements WHERE operator_fingerprint = $1
         AND completed_at IS NULL AND abandoned_at IS NULL ORDER BY id LIMIT 1";
    if let Some(row) = db.query_opt(incomplete, &[&operator]).await? {
        return Err(WriteError::Rejected(CloseDayError::Incomplete(StatementId::new(text(
            &row, "id",
        )?))));
    }
    let (from, before) = day_bounds_ms(closed.day);
    let entries = count(db, COUNT_ENTRIES, &[&operator, &from, &before]).await?;
    let lines = count(db, COUNT_LINES, &[&operator, &day]).await?;
    if (entries, lines) != (closed.figures.entries, closed.figures.lines) {
        return Err(WriteError::Rejected(CloseDayError::Changed));
    }
    let insert = "INSERT INTO closed_days
             (operator, operator_fingerprint, day, closed_at, closed_by, report, digest)
         VALUES ($1, $2, $3, $4, $5, $6, $7)";
    db.execute(
        insert,
        &[
            &name.as_str(),
            &operator,
            &day,
            &closed.closed_at,
            &closed.closed_by,
            &closed_day_json::write(closed),
            &closed.figures.digest,
        ],
    )
    .await?;
    audit::append(db, by, &audit_values::statements::day_closed(closed)).await?;
    Ok(())
}

/// The start of a day in UTC and the start of the next day, in milliseconds since the epoch.
fn day_bounds_ms(day: Date) -> (i64, i64) {
    let from = day_number(day).saturating_mul(MILLISECONDS_PER_DAY);
    (from, from.saturating_add(MILLISECONDS_PER_DAY))
}
