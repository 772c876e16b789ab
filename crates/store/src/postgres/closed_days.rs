//! Closed days.

use super::{
    PostgresStore,
    db::Db,
    error::{Error, Result},
    record::at,
};
use crate::in_doubt::InDoubt;
use crate::queries::audit;
use crate::{
    audit_values, closed_day_json,
    closed_day_sql::{self as sql, day_numbers, entries_after, moments},
    column_values::{date, day_number},
    rows,
};
use async_trait::async_trait;
use jiff::civil::Date;
use tua_domain::{
    StatementId,
    audit::AuditContext,
    ledger::Postings,
    ports::{ClosedDays, StoreError},
    routing::{OperatorFingerprint, OperatorName, OperatorPin},
    statement::closing::{CloseDayError, ClosedDay, EntryPosition, LedgerEntry, check_order},
};

/// A shared query with PostgreSQL's parameters.
fn own(shared: &str) -> String {
    shared.replace('?', "$")
}

#[async_trait]
impl ClosedDays for PostgresStore {
    async fn ledger_operators(&self) -> std::result::Result<Vec<OperatorName>, StoreError> {
        self.tx
            .read(|db| async move {
                let found = db.query(sql::LEDGER_OPERATORS, &[]).await?;
                found
                    .iter()
                    .map(|row| row.try_get(0).map(OperatorName::of_row).map_err(Error::from))
                    .collect()
            })
            .await
    }

    async fn operators_named(
        &self,
        name: &OperatorName,
    ) -> std::result::Result<Vec<OperatorFingerprint>, StoreError> {
        let name = &name.as_str();
        self.tx
            .read(|db| async move {
                let found = db.query(&own(sql::OPERATORS_NAMED), &[name]).await?;
                found
                    .iter()
                    .map(|row| row.try_get(0).map(OperatorFingerprint::of_row).map_err(Error::from))
                    .collect()
            })
            .await
    }

    async fn postings_before(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
    ) -> std::result::Result<Postings, StoreError> {
        let operator = operator.as_str();
        let (before, _) = moments(day);
        self.tx
            .read_long(|db| async move {
                let row = db.query_opt(&own(sql::POSTED_BEFORE), &[&operator, &before]).await?;
                rows::postings(&row.ok_or(Error::MissingRow)?)
            })
            .await
    }

    async fn day_entries(
        &self,
        operator: &OperatorPin,
        day: Date,
        after: Option<&EntryPosition>,
        most: u32,
    ) -> std::result::Result<Vec<LedgerEntry>, StoreError> {
        let (from, before) = moments(day);
        let (at, transaction, version) = entries_after(after);
        let (name, fingerprint, most) =
            (operator.name.as_str(), operator.fingerprint.as_str(), i64::from(most));
        self.tx
            .read(|db| async move {
                let parameters: super::db::Parameters<'_> =
                    &[&name, &fingerprint, &from, &before, &at, &transaction, &version, &most];
                db.query(&own(sql::DAY_ENTRIES), parameters)
                    .await?
                    .iter()
                    .map(rows::ledger_entry)
                    .collect()
            })
            .await
    }

    async fn close_day(
        &self,
        day: ClosedDay,
        by: &AuditContext,
    ) -> std::result::Result<(), CloseDayError> {
        let day = &day;
        self.tx.try_write(InDoubt::Surface, |db| async move { close(&db, day, by).await }).await?
    }

    async fn closed_days(
        &self,
        operator: Option<&OperatorFingerprint>,
        days: Option<(Date, Date)>,
        most: u32,
    ) -> std::result::Result<Vec<ClosedDay>, StoreError> {
        let operator = operator.map(OperatorFingerprint::as_str);
        let (from, to) = day_numbers(days);
        let most = i64::from(most);
        self.tx
            .read(|db| async move {
                let found = db.query(&own(sql::LIST), &[&operator, &from, &to, &most]).await?;
                found.iter().map(rows::closed_day).collect()
            })
            .await
    }
}

/// Waits for a day that is being closed, and lets none be closed until the end of the database
/// transaction. Returns the operator's first and last closed day.
pub(super) async fn keep_open(
    db: &Db,
    operator: &OperatorFingerprint,
) -> Result<Option<(Date, Date)>> {
    db.batch("LOCK TABLE closed_days IN ROW EXCLUSIVE MODE").await?;
    first_and_last(db, operator).await
}

async fn first_and_last(db: &Db, operator: &OperatorFingerprint) -> Result<Option<(Date, Date)>> {
    let row = db
        .query_opt(&own(sql::FIRST_AND_LAST), &[&operator.as_str()])
        .await?
        .ok_or(Error::MissingRow)?;
    let (first, last): (Option<i64>, Option<i64>) = (row.try_get(0)?, row.try_get(1)?);
    Ok(first.and_then(date).zip(last.and_then(date)))
}

async fn count(db: &Db, sql: &str, parameters: super::db::Parameters<'_>) -> Result<u64> {
    let row = db.query_opt(&own(sql), parameters).await?.ok_or(Error::MissingRow)?;
    Ok(row.try_get::<_, i64>(0)?.unsigned_abs())
}

async fn close(
    db: &Db,
    closed: &ClosedDay,
    by: &AuditContext,
) -> Result<std::result::Result<(), CloseDayError>> {
    // Conflicts with `keep_open` and with itself: no line is imported meanwhile.
    db.batch("LOCK TABLE closed_days IN SHARE ROW EXCLUSIVE MODE").await?;
    let OperatorPin { name, fingerprint } = &closed.operator;
    let name = name.as_str();
    let operator = fingerprint.as_str();
    let day = day_number(closed.day);
    if let Err(refused) = check_order(first_and_last(db, fingerprint).await?, closed.day) {
        return Ok(Err(refused));
    }
    if let Some(row) = db.query_opt(&own(sql::INCOMPLETE), &[&operator]).await? {
        return Ok(Err(CloseDayError::Incomplete(StatementId::new(row.try_get::<_, String>(0)?))));
    }
    let (from, before) = moments(closed.day);
    let entries = count(db, sql::COUNT_ENTRIES, &[&operator, &from, &before]).await?;
    let lines = count(db, sql::COUNT_LINES, &[&operator, &day]).await?;
    if (entries, lines) != (closed.figures.entries, closed.figures.lines) {
        return Ok(Err(CloseDayError::Changed));
    }
    let report = closed_day_json::write(closed);
    let digest = &closed.figures.digest[..];
    let parameters: super::db::Parameters<'_> =
        &[&name, &operator, &day, &at(closed.closed_at), &closed.closed_by, &report, &digest];
    db.execute(&own(sql::INSERT), parameters).await?;
    audit::append(db, by, &audit_values::statements::day_closed(closed)).await?;
    Ok(Ok(()))
}
