//! Statements of operators.

use super::sql::ready;
use super::{SqliteStore, closed_days, record::Record};
use crate::queries::audit;
use crate::{
    audit_values,
    column_values::day_number,
    rows,
    statement_sql::{self as sql, days, transactions_range},
};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_contract::Network;
use tua_domain::{
    Scope, StatementId, Transaction, TransactionId,
    audit::AuditContext,
    listing::Cursor,
    ports::{BegunStatement, Statements, StoreError},
    reporting::filter::day_of,
    routing::OperatorFingerprint,
    statement::{
        LinePosition, MatchedLine, Statement, StatementFilter, StatementLine, StatementPage,
        StatementSummary, closing::posted_day,
    },
};

#[async_trait]
impl Statements for SqliteStore {
    async fn transaction_of_another_operator(
        &self,
        operator: &OperatorFingerprint,
        transactions: Vec<TransactionId>,
    ) -> std::result::Result<Option<Transaction>, StoreError> {
        let operator = operator.clone();
        self.readers
            .read_many(move |db| {
                let mut find = db.prepare_cached(
                    "SELECT * FROM transactions WHERE id = ?1 AND operator_fingerprint <> ?2",
                )?;
                for id in &transactions {
                    let found = find
                        .query_row((id.as_str(), operator.as_str()), |row| {
                            rows::transaction(&Record::new(row))
                        })
                        .optional()?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                Ok(None)
            })
            .await
    }

    async fn begin_statement(
        &self,
        new: Statement,
    ) -> std::result::Result<BegunStatement, StoreError> {
        self.writer.write(move |db| begin(db, &new)).await
    }

    async fn change_statement_days(
        &self,
        statement: &Statement,
        days: (Date, Date),
        by: &AuditContext,
    ) -> std::result::Result<(), StoreError> {
        let statement = statement.clone();
        let by = by.clone();
        self.writer
            .write(move |db| {
                let values = (statement.id.as_str(), day_number(days.0), day_number(days.1));
                db.prepare_cached(sql::CHANGE_DAYS)?.execute(values)?;
                ready(audit::append(
                    db,
                    &by,
                    &audit_values::statements::statement_days_changed(&statement, days),
                ))
                .map(drop)
            })
            .await
    }

    async fn insert_statement_lines(
        &self,
        statement: &Statement,
        lines: Vec<StatementLine>,
    ) -> std::result::Result<u64, StoreError> {
        let statement = statement.clone();
        self.writer.write(move |db| insert(db, &statement, &lines)).await
    }

    async fn complete_statement(
        &self,
        statement: &Statement,
        by: &AuditContext,
    ) -> std::result::Result<u64, StoreError> {
        let statement = statement.clone();
        let by = by.clone();
        self.writer.write(move |db| complete(db, &statement, &by)).await
    }

    async fn plan_ask_of_failed(
        &self,
        id: &TransactionId,
        asks: u32,
        at: Option<Timestamp>,
    ) -> std::result::Result<(), StoreError> {
        let id = id.clone();
        self.writer
            .write(move |db| {
                db.prepare_cached(sql::PLAN_ASK_OF_FAILED)?
                    .execute((id.as_str(), asks, at.map(Timestamp::as_millisecond)))
                    .map(drop)
            })
            .await
    }

    async fn abandon_statement(
        &self,
        statement: &Statement,
        by: &AuditContext,
    ) -> std::result::Result<bool, StoreError> {
        let statement = statement.clone();
        let by = by.clone();
        self.writer.write(move |db| abandon(db, &statement, &by)).await
    }

    async fn statements(
        &self,
        page: &StatementPage,
    ) -> std::result::Result<Vec<StatementSummary>, StoreError> {
        let page = page.clone();
        self.readers
            .read_many(move |db| {
                let operator = page.operator.as_ref().map(OperatorFingerprint::as_str);
                let after = page.after.as_ref().map_or("", StatementId::as_str);
                db.prepare_cached(sql::LIST)?
                    .query_map((operator, after, page.limit), |row| {
                        rows::statement_summary(&Record::new(row))
                    })?
                    .collect()
            })
            .await
    }

    async fn statement(
        &self,
        id: &StatementId,
    ) -> std::result::Result<Option<StatementSummary>, StoreError> {
        self.readers.read(|db| {
            let mut find = db.prepare_cached(sql::BY_ID)?;
            find.query_row([id.as_str()], |row| rows::statement_summary(&Record::new(row)))
                .optional()
        })
    }

    async fn match_statement_lines(
        &self,
        filter: &StatementFilter,
    ) -> std::result::Result<(), StoreError> {
        let (from, to) = days(filter);
        let statement = filter.statement.clone();
        let operator = filter.operator.clone();
        self.writer
            .write(move |db| {
                let statement = statement.as_ref().map(StatementId::as_str);
                let operator = operator.as_ref().map(OperatorFingerprint::as_str);
                db.prepare_cached(sql::MATCH_PERIOD)?
                    .execute((from, to, statement, operator))
                    .map(drop)
            })
            .await
    }

    async fn statement_lines(
        &self,
        filter: &StatementFilter,
        after: Option<&LinePosition>,
        most: u32,
    ) -> std::result::Result<Vec<MatchedLine>, StoreError> {
        let filter = filter.clone();
        let after = after.cloned();
        self.readers.read_many(move |db| lines(db, &filter, after.as_ref(), most)).await
    }

    async fn transactions_without_line(
        &self,
        filter: &StatementFilter,
        scope: &Scope,
        after: Option<&Cursor>,
        most: u32,
    ) -> std::result::Result<Vec<Transaction>, StoreError> {
        let filter = filter.clone();
        let scope = scope.clone();
        let after = after.cloned();
        self.readers
            .read_many(move |db| {
                let (at, id, before) = transactions_range(&filter, after.as_ref());
                let account = scope.account.as_str();
                let mode = scope.mode.as_str();
                let operator = filter.operator.as_ref().map(OperatorFingerprint::as_str);
                db.prepare_cached(&sql::WITHOUT_LINE.replace("{columns}", "*"))?
                    .query_map(params![account, mode, at, id, before, operator, most], |row| {
                        rows::transaction(&Record::new(row))
                    })?
                    .collect()
            })
            .await
    }
}

fn count(db: &Connection, statement: &StatementId) -> Result<u64> {
    db.prepare_cached(sql::COUNT_LINES)?
        .query_row([statement.as_str()], |row| row.get(0))
        .map(i64::unsigned_abs)
}

fn begin(db: &Connection, new: &Statement) -> Result<BegunStatement> {
    let pin = &new.operator;
    let at = new.created_at.as_millisecond();
    db.prepare_cached(sql::BEGIN)?.execute(params![
        new.id.as_str(),
        pin.name.as_str(),
        pin.fingerprint.as_str(),
        new.digest,
        at,
        new.covers.map(|(from, _)| day_number(from)),
        new.covers.map(|(_, to)| day_number(to)),
    ])?;
    db.prepare_cached(sql::RESUME)?.execute(params![pin.fingerprint.as_str(), new.digest])?;
    let found = db
        .prepare_cached(sql::BY_DIGEST)?
        .query_row(params![pin.fingerprint.as_str(), new.digest], |row| {
            rows::statement(&Record::new(row))
        })?;
    Ok(match found.completed_at {
        None => BegunStatement::Open(found),
        Some(_) => BegunStatement::Completed(found),
    })
}

fn insert(db: &Connection, statement: &Statement, lines: &[StatementLine]) -> Result<u64> {
    let mut insert = db.prepare_cached(
        "INSERT INTO statement_lines (statement_id, number, operator_fingerprint, line_key, at, \
         day, kind, is_reversal,
             operator_transaction_id, referenced_id, amount, fee, network)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT DO NOTHING",
    )?;
    // A line of a closed day is posted to the day after the last closed one.
    let closed = closed_days::first_and_last(db, &statement.operator.fingerprint)?;
    let mut inserted = 0;
    for line in lines {
        inserted += insert.execute(params![
            statement.id.as_str(),
            line.number,
            statement.operator.fingerprint.as_str(),
            line.key,
            line.at.as_millisecond(),
            day_number(posted_day(closed, day_of(line.at))),
            line.kind.as_str(),
            line.is_reversal,
            line.operator_transaction_id,
            line.referenced.as_ref().map(TransactionId::as_str),
            line.pesewas,
            line.fee_pesewas,
            line.network.map(Network::as_str),
        ])?;
    }
    if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
        db.prepare_cached(sql::MATCH_INSERTED)?.execute((
            statement.id.as_str(),
            first.number,
            last.number,
        ))?;
    }
    Ok(inserted as u64)
}

fn complete(db: &Connection, statement: &Statement, by: &AuditContext) -> Result<u64> {
    let parameters = (statement.id.as_str(), by.at.as_millisecond());
    if db.prepare_cached(sql::COMPLETE)?.execute(parameters)? == 0 {
        return Ok(0);
    }
    let due = db.prepare_cached(sql::ASK)?.execute(parameters)?
        + db.prepare_cached(sql::ASK_FAILED)?.execute(parameters)?;
    ready(audit::append(
        db,
        by,
        &audit_values::statements::statement_imported(statement, count(db, &statement.id)?),
    ))?;
    Ok(due as u64)
}

fn abandon(db: &Connection, statement: &Statement, by: &AuditContext) -> Result<bool> {
    let is_open = db
        .prepare_cached(sql::ABANDON)?
        .execute((statement.id.as_str(), by.at.as_millisecond()))?
        == 1;
    if is_open {
        ready(audit::append(db, by, &audit_values::statements::statement_abandoned(statement)))?;
    }
    Ok(is_open)
}

fn lines(
    db: &Connection,
    filter: &StatementFilter,
    after: Option<&LinePosition>,
    most: u32,
) -> Result<Vec<MatchedLine>> {
    let (from, to) = days(filter);
    let (statement, number) =
        after.map_or(("", 0), |after| (after.statement.as_str(), after.number));
    let only = filter.statement.as_ref().map(StatementId::as_str);
    let operator = filter.operator.as_ref().map(OperatorFingerprint::as_str);
    db.prepare_cached(&sql::LINES.replace("{columns}", "*"))?
        .query_map(params![statement, number, from, to, only, operator, most], |row| {
            rows::matched_line(&Record::new(row))
        })?
        .collect()
}
