//! The statements of a store whose methods fail as planned. They do not fail.

use super::failing_store::FailingStore;
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use tua_domain::{
    Scope, StatementId, Transaction, TransactionId,
    audit::AuditContext,
    ledger::Postings,
    listing::Cursor,
    ports::{BegunStatement, ClosedDays, Statements, StoreError},
    routing::{OperatorFingerprint, OperatorName, OperatorPin},
    statement::{
        LinePosition, MatchedLine, Statement, StatementFilter, StatementLine, StatementPage,
        StatementSummary,
        closing::{CloseDayError, ClosedDay, EntryPosition, LedgerEntry},
    },
};

#[async_trait]
impl Statements for FailingStore {
    async fn transaction_of_another_operator(
        &self,
        operator: &OperatorFingerprint,
        transactions: Vec<TransactionId>,
    ) -> Result<Option<Transaction>, StoreError> {
        self.inner.transaction_of_another_operator(operator, transactions).await
    }

    async fn begin_statement(&self, new: Statement) -> Result<BegunStatement, StoreError> {
        self.inner.begin_statement(new).await
    }

    async fn change_statement_days(
        &self,
        statement: &Statement,
        days: (Date, Date),
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        self.inner.change_statement_days(statement, days, by).await
    }

    async fn insert_statement_lines(
        &self,
        statement: &Statement,
        lines: Vec<StatementLine>,
    ) -> Result<u64, StoreError> {
        self.inner.insert_statement_lines(statement, lines).await
    }

    async fn complete_statement(
        &self,
        statement: &Statement,
        by: &AuditContext,
    ) -> Result<u64, StoreError> {
        self.inner.complete_statement(statement, by).await
    }

    async fn plan_ask_of_failed(
        &self,
        id: &TransactionId,
        asks: u32,
        at: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        self.inner.plan_ask_of_failed(id, asks, at).await
    }

    async fn abandon_statement(
        &self,
        statement: &Statement,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        self.inner.abandon_statement(statement, by).await
    }

    async fn statements(&self, page: &StatementPage) -> Result<Vec<StatementSummary>, StoreError> {
        self.inner.statements(page).await
    }

    async fn statement(&self, id: &StatementId) -> Result<Option<StatementSummary>, StoreError> {
        self.inner.statement(id).await
    }

    async fn match_statement_lines(&self, filter: &StatementFilter) -> Result<(), StoreError> {
        self.inner.match_statement_lines(filter).await
    }

    async fn statement_lines(
        &self,
        filter: &StatementFilter,
        after: Option<&LinePosition>,
        limit: u32,
    ) -> Result<Vec<MatchedLine>, StoreError> {
        self.inner.statement_lines(filter, after, limit).await
    }

    async fn transactions_without_line(
        &self,
        filter: &StatementFilter,
        scope: &Scope,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Vec<Transaction>, StoreError> {
        self.inner.transactions_without_line(filter, scope, after, limit).await
    }
}

#[async_trait]
impl ClosedDays for FailingStore {
    async fn ledger_operators(&self) -> Result<Vec<OperatorName>, StoreError> {
        self.inner.ledger_operators().await
    }

    async fn operators_named(
        &self,
        name: &OperatorName,
    ) -> Result<Vec<OperatorFingerprint>, StoreError> {
        self.inner.operators_named(name).await
    }

    async fn postings_before(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
    ) -> Result<Postings, StoreError> {
        self.inner.postings_before(operator, day).await
    }

    async fn day_entries(
        &self,
        operator: &OperatorPin,
        day: Date,
        after: Option<&EntryPosition>,
        limit: u32,
    ) -> Result<Vec<LedgerEntry>, StoreError> {
        self.inner.day_entries(operator, day, after, limit).await
    }

    async fn close_day(&self, day: ClosedDay, by: &AuditContext) -> Result<(), CloseDayError> {
        self.inner.close_day(day, by).await
    }

    async fn closed_days(
        &self,
        operator: Option<&OperatorFingerprint>,
        days: Option<(Date, Date)>,
        limit: u32,
    ) -> Result<Vec<ClosedDay>, StoreError> {
        self.inner.closed_days(operator, days, limit).await
    }
}
