//! The port for statements of operators.

use super::StoreError;
use crate::{
    Scope, StatementId, Transaction, TransactionId,
    audit::AuditContext,
    listing::Cursor,
    pinned_operator::OperatorFingerprint,
    statement::{
        LinePosition, MatchedLine, Statement, StatementFilter, StatementLine, StatementPageRequest,
        StatementSummary,
    },
};
use async_trait::async_trait;
use jiff::civil::Date;
use std::fmt::Debug;

/// The result of beginning an import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementImport {
    /// Its lines must be inserted. The statement is new, or its import was interrupted before.
    Open(Statement),
    /// The same file was imported before.
    AlreadyImported(Statement),
}

/// Imports statements, and compares them with the transactions. Lines are only inserted.
#[async_trait]
pub trait Statements: Debug + Send + Sync + 'static {
    /// Of these transactions, the first one that exists and is another operator's.
    async fn transaction_of_another_operator(
        &self,
        operator: &OperatorFingerprint,
        transactions: Vec<TransactionId>,
    ) -> Result<Option<Transaction>, StoreError>;
    /// Inserts a statement, unless the operator has one of the same file. One whose import was
    /// abandoned is open again.
    async fn begin_statement(&self, new: Statement) -> Result<StatementImport, StoreError>;
    /// Changes the days that a statement covers: the first and the last.
    async fn change_statement_days(
        &self,
        statement: &Statement,
        days: (Date, Date),
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// Inserts those lines that the operator does not have yet, and matches them. Returns how many
    /// were inserted.
    async fn insert_statement_lines(
        &self,
        statement: &Statement,
        lines: Vec<StatementLine>,
    ) -> Result<u64, StoreError>;
    /// Ends an import. Transactions that a line of the statement is about become due to be asked
    /// about, if they are pending or if they failed and the line shows them as paid. Returns how
    /// many.
    async fn complete_statement(
        &self,
        statement: &Statement,
        by: &AuditContext,
    ) -> Result<u64, StoreError>;
    /// Gives up an import that was cut off. The lines that it has stored stay, because each of them
    /// was checked. `false` if it has ended, or was given up before.
    async fn abandon_statement(
        &self,
        statement: &Statement,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// Lists statements, newest first.
    async fn statements(
        &self,
        page: &StatementPageRequest,
    ) -> Result<Vec<StatementSummary>, StoreError>;
    /// Finds a statement by its id, with the number of its lines.
    async fn statement(&self, id: &StatementId) -> Result<Option<StatementSummary>, StoreError>;
    /// Matches lines that had no transaction when they were inserted.
    async fn match_statement_lines(&self, filter: &StatementFilter) -> Result<(), StoreError>;
    /// The next lines, at most so many.
    async fn statement_lines(
        &self,
        filter: &StatementFilter,
        after: Option<&LinePosition>,
        limit: u32,
    ) -> Result<Vec<MatchedLine>, StoreError>;
    /// The next successful transactions of an account and mode that no line is about, at most so
    /// many, oldest first.
    async fn transactions_without_line(
        &self,
        filter: &StatementFilter,
        scope: &Scope,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Vec<Transaction>, StoreError>;
}
