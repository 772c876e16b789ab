//! Closed days. Writes are one after another, so nothing changes between a check and its write.

use super::sql::ready;
use super::{SqliteStore, record::Record};
use crate::queries::audit;
use crate::{
    audit_values, closed_day_json,
    closed_day_sql::{self as sql, day_numbers, entries_after, moments},
    column_values::{date, day_number},
    rows,
};
use async_trait::async_trait;
use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_domain::{
    StatementId,
    audit::AuditContext,
    ledger::Postings,
    ports::{ClosedDays, StoreError},
    routing::{OperatorFingerprint, OperatorName, OperatorPin},
    statement::closing::{CloseDayError, ClosedDay, EntryPosition, LedgerEntry, check_order},
};

#[async_trait]
impl ClosedDays for SqliteStore {
    async fn ledger_operators(&self) -> std::result::Result<Vec<OperatorName>, StoreError> {
        self.readers
            .read_many(|db| {
                let name = |row: &rusqlite::Row<'_>| row.get(0).map(OperatorName::of_row);
                db.prepare_cached(sql::LEDGER_OPERATORS)?.query_map([], name)?.collect()
            })
            .await
    }

    async fn operators_named(
        &self,
        name: &OperatorName,
    ) -> std::result::Result<Vec<OperatorFingerprint>, StoreError> {
        self.readers.read(|db| {
            let fingerprint = |row: &rusqlite::Row<'_>| row.get(0).map(OperatorFingerprint::of_row);
            db.prepare_cached(sql::OPERATORS_NAMED)?
                .query_map([name.as_str()], fingerprint)?
                .collect()
        })
    }

    async fn postings_before(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
    ) -> std::result::Result<Postings, StoreError> {
        let operator = operator.clone();
        let (before, _) = moments(day);
        self.readers
            .read_many(move |db| {
                db.prepare_cached(sql::POSTED_BEFORE)?
                    .query_row((operator.as_str(), before), |row| rows::postings(&Record::new(row)))
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
        let operator = operator.clone();
        let after = after.cloned();
        self.readers
            .read_many(move |db| {
                let (from, before) = moments(day);
                let (at, transaction, version) = entries_after(after.as_ref());
                let name = operator.name.as_str();
                let fingerprint = operator.fingerprint.as_str();
                let parameters =
                    params![name, fingerprint, from, before, at, transaction, version, most];
                db.prepare_cached(sql::DAY_ENTRIES)?
                    .query_map(parameters, |row| rows::ledger_entry(&Record::new(row)))?
                    .collect()
            })
            .await
    }

    async fn close_day(
        &self,
        day: ClosedDay,
        by: &AuditContext,
    ) -> std::result::Result<(), CloseDayError> {
        let by = by.clone();
        self.writer.write(move |db| close(db, &day, &by)).await?
    }

    async fn closed_days(
        &self,
        operator: Option<&OperatorFingerprint>,
        days: Option<(Date, Date)>,
        most: u32,
    ) -> std::result::Result<Vec<ClosedDay>, StoreError> {
        let operator = operator.cloned();
        let (from, to) = day_numbers(days);
        self.readers
            .read_many(move |db| {
                let operator = operator.as_ref().map(OperatorFingerprint::as_str);
                db.prepare_cached(sql::LIST)?
                    .query_map((operator, from, to, most), |row| {
                        rows::closed_day(&Record::new(row))
                    })?
                    .collect()
            })
            .await
    }
}

/// An operator's first and last closed day.
pub(super) fn first_and_last(
    db: &Connection,
    operator: &OperatorFingerprint,
) -> Result<Option<(Date, Date)>> {
    db.prepare_cached(sql::FIRST_AND_LAST)?.query_row([operator.as_str()], |row| {
        let (first, last): (Option<i64>, Option<i64>) = (row.get(0)?, row.get(1)?);
        Ok(first.and_then(date).zip(last.and_then(date)))
    })
}

fn close(
    db: &Connection,
    closed: &ClosedDay,
    by: &AuditContext,
) -> Result<std::result::Result<(), CloseDayError>> {
    let OperatorPin { name, fingerprint } = &closed.operator;
    let operator = fingerprint.as_str();
    let day = day_number(closed.day);
    if let Err(refused) = check_order(first_and_last(db, fingerprint)?, closed.day) {
        return Ok(Err(refused));
    }
    let incomplete =
        db.prepare_cached(sql::INCOMPLETE)?.query_row([operator], |row| row.get(0)).optional()?;
    if let Some(id) = incomplete.map(|id: String| StatementId::new(id)) {
        return Ok(Err(CloseDayError::Incomplete(id)));
    }
    let (from, before) = moments(closed.day);
    let entries: i64 = db
        .prepare_cached(sql::COUNT_ENTRIES)?
        .query_row((operator, from, before), |row| row.get(0))?;
    let lines: i64 =
        db.prepare_cached(sql::COUNT_LINES)?.query_row((operator, day), |row| row.get(0))?;
    if (entries.unsigned_abs(), lines.unsigned_abs())
        != (closed.figures.entries, closed.figures.lines)
    {
        return Ok(Err(CloseDayError::Changed));
    }
    let report = closed_day_json::write(closed);
    let at = closed.closed_at.as_millisecond();
    let parameters =
        params![name.as_str(), operator, day, at, closed.closed_by, report, closed.figures.digest];
    db.prepare_cached(sql::INSERT)?.execute(parameters)?;
    ready(audit::append(db, by, &audit_values::statements::day_closed(closed)))?;
    Ok(Ok(()))
}
