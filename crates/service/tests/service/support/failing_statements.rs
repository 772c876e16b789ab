//! The statements of a store whose methods fail as planned. They do not fail.

use super::failing_store::FailingStore;
use async_trait::async_trait;
use tua_service::domain::{
    StatementId, Transaction, TransactionId,
    audit::AuditContext,
    ports::{BegunStatement, Statements, StoreError},
    routing::OperatorFingerprint,
    statement::{LinePosition, MatchedLine, Statement, StatementFilter, StatementLine},
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

    async fn insert_statement_lines(
        &self,
        statement: &Statement,
        lines: Vec<StatementLine>,
    ) -> Result<u64, StoreError> {
        self.inner.insert_statement_lines(statement, lines).await
    }

    async fn complete_statement(&self, statement: &Statement, by: &AuditContext) -> Result<u64, StoreError> {
        self.inner.complete_statement(statement, by).await
    }

    async fn statements(&self, most: u32) -> Result<Vec<Statement>, StoreError> {
        self.inner.statements(most).await
    }

    async fn statement(&self, id: &StatementId) -> Result<Option<Statement>, StoreError> {
        self.inner.statement(id).await
    }

    async fn match_statement_lines(&self, filter: &StatementFilter) -> Result<(), StoreError> {
        self.inner.match_statement_lines(filter).await
    }

    async fn statement_lines(
        &self,
        filter: &StatementFilter,
        after: Option<&LinePosition>,
        most: u32,
    ) -> Result<Vec<MatchedLine>, StoreError> {
        self.inner.statement_lines(filter, after, most).await
    }

    async fn transactions_without_line(
        &self,
        filter: &StatementFilter,
        after: Option<&TransactionId>,
        most: u32,
    ) -> Result<Vec<Transaction>, StoreError> {
        self.inner.transactions_without_line(filter, after, most).await
    }

    async fn count_statement_lines(&self, statement: &StatementId) -> Result<u64, StoreError> {
        self.inner.count_statement_lines(statement).await
    }
}
