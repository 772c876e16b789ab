//! Statements of operators.

use super::{
    PostgresStore,
    batch_ops::column,
    closed_days,
    db::Db,
    error::{Error, Result},
    record::{at, maybe_at},
};
use crate::in_doubt::InDoubt;
use crate::queries::audit;
use crate::{
    audit_values,
    column_values::day_number,
    rows::{self, transaction_columns},
    statement_sql::{self as sql, days, transactions_range},
};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use tokio_postgres::types::ToSql;
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

/// A shared query with PostgreSQL's parameters and the columns of transactions.
fn own(shared: &str) -> String {
    shared.replace('?', "$").replace("{columns}", transaction_columns!())
}

#[async_trait]
impl Statements for PostgresStore {
    async fn transaction_of_another_operator(
        &self,
        operator: &OperatorFingerprint,
        transactions: Vec<TransactionId>,
    ) -> std::result::Result<Option<Transaction>, StoreError> {
        const SQL: &str = concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM transactions WHERE id = ANY($1) AND operator_fingerprint <> $2 LIMIT 1"
        );
        let ids: &Vec<String> = &transactions.iter().map(ToString::to_string).collect();
        self.tx
            .read(|db| async move {
                db.query_opt(SQL, &[ids, &operator.as_str()])
                    .await?
                    .as_ref()
                    .map(rows::transaction)
                    .transpose()
            })
            .await
    }

    async fn begin_statement(
        &self,
        new: Statement,
    ) -> std::result::Result<BegunStatement, StoreError> {
        let new = &new;
        self.tx.write(InDoubt::Retry, |db| async move { begin(&db, new).await }).await
    }

    async fn change_statement_days(
        &self,
        statement: &Statement,
        days: (Date, Date),
        by: &AuditContext,
    ) -> std::result::Result<(), StoreError> {
        self.tx
            .write(InDoubt::Surface, |db| async move {
                let (id, from, to) =
                    (statement.id.as_str(), day_number(days.0), day_number(days.1));
                db.execute(&own(sql::CHANGE_DAYS), &[&id, &from, &to]).await?;
                audit::append(
                    &db,
                    by,
                    &audit_values::statements::statement_days_changed(statement, days),
                )
                .await
                .map(drop)
            })
            .await
    }

    async fn insert_statement_lines(
        &self,
        statement: &Statement,
        lines: Vec<StatementLine>,
    ) -> std::result::Result<u64, StoreError> {
        let lines = &lines;
        self.tx.write(InDoubt::Retry, |db| async move { insert(&db, statement, lines).await }).await
    }

    async fn complete_statement(
        &self,
        statement: &Statement,
        by: &AuditContext,
    ) -> std::result::Result<u64, StoreError> {
        self.tx
            .write(InDoubt::Surface, |db| async move {
                let id = statement.id.as_str();
                let now = at(by.at);
                if db.execute(&own(sql::COMPLETE), &[&id, &now]).await? == 0 {
                    return Ok(0);
                }
                let due = db.execute(&own(sql::ASK), &[&id, &now]).await?
                    + db.execute(&own(sql::ASK_FAILED), &[&id, &now]).await?;
                let lines = count(&db, &statement.id).await?;
                audit::append(
                    &db,
                    by,
                    &audit_values::statements::statement_imported(statement, lines),
                )
                .await?;
                Ok(due)
            })
            .await
    }

    async fn plan_ask_of_failed(
        &self,
        id: &TransactionId,
        asks: u32,
        next: Option<Timestamp>,
    ) -> std::result::Result<(), StoreError> {
        self.tx
            .write(InDoubt::Retry, |db| async move {
                let parameters: [&(dyn ToSql + Sync); 3] =
                    [&id.as_str(), &i64::from(asks), &maybe_at(next)];
                db.execute(&own(sql::PLAN_ASK_OF_FAILED), &parameters).await.map(drop)
            })
            .await
    }

    async fn abandon_statement(
        &self,
        statement: &Statement,
        by: &AuditContext,
    ) -> std::result::Result<bool, StoreError> {
        self.tx.write(InDoubt::Surface, |db| async move { abandon(&db, statement, by).await }).await
    }

    async fn statements(
        &self,
        page: &StatementPage,
    ) -> std::result::Result<Vec<StatementSummary>, StoreError> {
        let operator = page.operator.as_ref().map(OperatorFingerprint::as_str);
        let (after, most) =
            (page.after.as_ref().map_or("", StatementId::as_str), i64::from(page.limit));
        self.tx
            .read(|db| async move {
                let found = db.query(&own(sql::LIST), &[&operator, &after, &most]).await?;
                found.iter().map(rows::statement_summary).collect()
            })
            .await
    }

    async fn statement(
        &self,
        id: &StatementId,
    ) -> std::result::Result<Option<StatementSummary>, StoreError> {
        self.tx
            .read(|db| async move {
                let found = db.query_opt(&own(sql::BY_ID), &[&id.as_str()]).await?;
                found.as_ref().map(rows::statement_summary).transpose()
            })
            .await
    }

    async fn match_statement_lines(
        &self,
        filter: &StatementFilter,
    ) -> std::result::Result<(), StoreError> {
        let (from, to) = days(filter);
        let (statement, operator) =
            (&filter.statement.as_ref().map(StatementId::as_str), &fingerprint(filter));
        self.tx
            .read_long(|db| async move {
                db.execute(&own(sql::MATCH_PERIOD), &[&from, &to, statement, operator])
                    .await
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
        let (from, to) = days(filter);
        let (statement, number) =
            after.map_or(("", 0), |after| (after.statement.as_str(), i64::from(after.number)));
        let only = filter.statement.as_ref().map(StatementId::as_str);
        let most = i64::from(most);
        self.tx
            .read(|db| async move {
                let parameters: super::db::Parameters<'_> =
                    &[&statement, &number, &from, &to, &only, &fingerprint(filter), &most];
                db.query(&own(sql::LINES), parameters)
                    .await?
                    .iter()
                    .map(rows::matched_line)
                    .collect()
            })
            .await
    }

    async fn transactions_without_line(
        &self,
        filter: &StatementFilter,
        scope: &Scope,
        after: Option<&Cursor>,
        most: u32,
    ) -> std::result::Result<Vec<Transaction>, StoreError> {
        let (at, id, before) = transactions_range(filter, after);
        let account = scope.account.as_str();
        let mode = scope.mode.as_str();
        let most = i64::from(most);
        self.tx
            .read(|db| async move {
                let parameters: super::db::Parameters<'_> =
                    &[&account, &mode, &at, &id, &before, &fingerprint(filter), &most];
                db.query(&own(sql::WITHOUT_LINE), parameters)
                    .await?
                    .iter()
                    .map(rows::transaction)
                    .collect()
            })
            .await
    }
}

fn fingerprint(filter: &StatementFilter) -> Option<&str> {
    filter.operator.as_ref().map(OperatorFingerprint::as_str)
}

async fn count(db: &Db, statement: &StatementId) -> Result<u64> {
    let row = db
        .query_opt(&own(sql::COUNT_LINES), &[&statement.as_str()])
        .await?
        .ok_or(Error::MissingRow)?;
    Ok(row.try_get::<_, i64>(0)?.unsigned_abs())
}

async fn abandon(db: &Db, statement: &Statement, by: &AuditContext) -> Result<bool> {
    let is_open = db.execute(&own(sql::ABANDON), &[&statement.id.as_str(), &at(by.at)]).await? == 1;
    if is_open {
        audit::append(db, by, &audit_values::statements::statement_abandoned(statement)).await?;
    }
    Ok(is_open)
}

async fn begin(db: &Db, new: &Statement) -> Result<BegunStatement> {
    let pin = &new.operator;
    let digest = &new.digest[..];
    let name = pin.name.as_str();
    let fingerprint = pin.fingerprint.as_str();
    let from = new.covers.map(|(from, _)| day_number(from));
    let to = new.covers.map(|(_, to)| day_number(to));
    let values: [&(dyn ToSql + Sync); 7] =
        [&new.id.as_str(), &name, &fingerprint, &digest, &at(new.created_at), &from, &to];
    db.execute(&own(sql::BEGIN), &values).await?;
    db.execute(&own(sql::RESUME), &[&fingerprint, &digest]).await?;
    let row = db
        .query_opt(&own(sql::BY_DIGEST), &[&fingerprint, &digest])
        .await?
        .ok_or(Error::MissingRow)?;
    let found = rows::statement(&row)?;
    Ok(match found.completed_at {
        None => BegunStatement::Open(found),
        Some(_) => BegunStatement::Completed(found),
    })
}

async fn insert(db: &Db, statement: &Statement, lines: &[StatementLine]) -> Result<u64> {
    // A line of a closed day is posted to the day after the last closed one.
    let closed = closed_days::keep_open(db, &statement.operator.fingerprint).await?;
    let number = |line: &StatementLine| i64::from(line.number);
    let id = statement.id.as_str();
    let fingerprint = statement.operator.fingerprint.as_str();
    let inserted = db
        .execute(
            "INSERT INTO statement_lines (statement_id, operator_fingerprint, number, line_key, \
             at, day, kind, is_reversal,
                 operator_transaction_id, referenced_id, amount, fee, network)
             SELECT $1::text, $2::text, * FROM unnest($3::bigint[], $4::bytea[], $5::bigint[], \
             $6::bigint[], $7::text[], $8::bigint[],
                 $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::text[])
             ON CONFLICT DO NOTHING",
            &[
                &id,
                &fingerprint,
                &column(lines, number),
                &column(lines, |line| &line.key[..]),
                &column(lines, |line| at(line.at)),
                &column(lines, |line| day_number(posted_day(closed, day_of(line.at)))),
                &column(lines, |line| line.kind.as_str()),
                &column(lines, |line| i64::from(line.is_reversal)),
                &column(lines, |line| line.operator_transaction_id.as_deref()),
                &column(lines, |line| line.referenced.as_ref().map(TransactionId::as_str)),
                &column(lines, |line| line.pesewas),
                &column(lines, |line| line.fee_pesewas),
                &column(lines, |line| line.network.map(Network::as_str)),
            ],
        )
        .await?;
    if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
        db.execute(&own(sql::MATCH_INSERTED), &[&id, &number(first), &number(last)]).await?;
    }
    Ok(inserted)
}
