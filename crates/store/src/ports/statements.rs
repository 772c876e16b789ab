//! The [`Statements`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::civil::Date;
use tua_domain::{
    Scope, StatementId, Transaction, TransactionId,
    audit::AuditContext,
    listing::Cursor,
    ports::{StatementImport, Statements, StoreError},
    routing::OperatorFingerprint,
    statement::{
        LinePosition, MatchedLine, Statement, StatementFilter, StatementLine, StatementPageRequest,
        StatementSummary,
    },
};
use tua_sql::queries::{statement_lines, statements};

both_engines! {
    impl Statements {
        async fn transaction_of_another_operator(
            &self,
            operator: &OperatorFingerprint,
            transactions: Vec<TransactionId>,
        ) -> Result<Option<Transaction>, StoreError> {
            let input = (operator.clone(), transactions);
            self.read_many(input, async |db, (operator, transactions)| {
                statement_lines::transaction_of_another_operator(db, operator, transactions).await
            })
            .await
        }

        async fn begin_statement(&self, new: Statement) -> Result<StatementImport, StoreError> {
            self.write(InDoubt::Retry, new, async |db, new| statements::begin(db, new).await).await
        }

        async fn change_statement_days(
            &self,
            statement: &Statement,
            days: (Date, Date),
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (statement.clone(), by.clone());
            self.write(InDoubt::Surface, input, async move |db, (statement, by)| {
                statements::change_days(db, statement, days, by).await
            })
            .await
        }

        async fn insert_statement_lines(
            &self,
            statement: &Statement,
            lines: Vec<StatementLine>,
        ) -> Result<u64, StoreError> {
            let input = (statement.clone(), lines);
            self.write(InDoubt::Retry, input, async |db, (statement, lines)| {
                statement_lines::insert(db, statement, lines).await
            })
            .await
        }

        async fn complete_statement(
            &self,
            statement: &Statement,
            by: &AuditContext,
        ) -> Result<u64, StoreError> {
            let input = (statement.clone(), by.clone());
            self.write(InDoubt::Surface, input, async |db, (statement, by)| {
                statements::complete(db, statement, by).await
            })
            .await
        }

        async fn abandon_statement(
            &self,
            statement: &Statement,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (statement.clone(), by.clone());
            self.write(InDoubt::Surface, input, async |db, (statement, by)| {
                statements::abandon(db, statement, by).await
            })
            .await
        }

        async fn statements(
            &self,
            page: &StatementPageRequest,
        ) -> Result<Vec<StatementSummary>, StoreError> {
            self.read_many(page.clone(), async |db, page| statements::list(db, page).await).await
        }

        async fn statement(
            &self,
            id: &StatementId,
        ) -> Result<Option<StatementSummary>, StoreError> {
            self.read(id.clone(), async |db, id| statements::by_id(db, id).await).await
        }

        async fn match_statement_lines(&self, filter: &StatementFilter) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, filter.clone(), async |db, filter| {
                statement_lines::match_unmatched_lines(db, filter).await
            })
            .await
        }

        async fn statement_lines(
            &self,
            filter: &StatementFilter,
            after: Option<&LinePosition>,
            limit: u32,
        ) -> Result<Vec<MatchedLine>, StoreError> {
            let input = (filter.clone(), after.cloned());
            self.read_many(input, async move |db, (filter, after)| {
                statement_lines::list(db, filter, after.as_ref(), limit).await
            })
            .await
        }

        async fn transactions_without_line(
            &self,
            filter: &StatementFilter,
            scope: &Scope,
            after: Option<&Cursor>,
            limit: u32,
        ) -> Result<Vec<Transaction>, StoreError> {
            let input = (filter.clone(), scope.clone(), after.cloned());
            self.read_many(input, async move |db, (filter, scope, after)| {
                let after = after.as_ref();
                statement_lines::transactions_without_line(db, filter, scope, after, limit).await
            })
            .await
        }
    }
}
