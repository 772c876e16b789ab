//! Compares statements with the transactions, both ways, page by page.

use tua_domain::{
    AccountId, Mode, Scope,
    listing::Cursor,
    ports::{Accounts, Statements, StoreError},
    statement::{
        LinePosition, MatchedLine, Statement, StatementFilter, StatementSummary,
        verification::{StatementException, StatementVerification},
    },
};

/// Lines and transactions per read and per write. A write is short, so that payments wait only
/// briefly.
pub(crate) const CHUNK: usize = 2_000;

/// A comparison that is read page by page, in constant memory.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// Which lines are compared.
    lines: StatementFilter,
    /// Which transactions are compared.
    transactions: StatementFilter,
    /// What was found so far.
    pub(super) found: StatementVerification,
    lines_after: Option<LinePosition>,
    /// Whether every line was read.
    has_lines: bool,
    /// The accounts and modes whose transactions are still to be read.
    scopes: Vec<Scope>,
    transactions_after: Option<Cursor>,
}

impl Comparison {
    /// Of some days: their lines with the transactions, and their transactions with the lines.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn of_days(
        accounts: &dyn Accounts,
        filter: StatementFilter,
    ) -> Result<Self, StoreError> {
        Self::begin(accounts, filter.clone(), Some(filter)).await
    }

    /// Of a statement: its lines with the transactions, and the operator's transactions of the days
    /// that it covers with the lines of all statements. Where these days are not known, nothing is
    /// said about transactions.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn of_statement(
        accounts: &dyn Accounts,
        summary: &StatementSummary,
    ) -> Result<Self, StoreError> {
        let Statement { id, operator, .. } = &summary.statement;
        let lines = StatementFilter { statement: Some(id.clone()), ..StatementFilter::default() };
        let transactions = summary.covered_days().map(|days| StatementFilter {
            days: Some(days),
            operator: Some(operator.fingerprint.clone()),
            statement: None,
        });
        Self::begin(accounts, lines, transactions).await
    }

    /// Matches the lines again that had no transaction at the last comparison, which writes. A
    /// service may run meanwhile.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn match_again(self, statements: &dyn Statements) -> Result<Self, StoreError> {
        statements.match_statement_lines(&self.lines).await?;
        Ok(self)
    }

    /// Begins with the lines as they are matched.
    async fn begin(
        accounts: &dyn Accounts,
        lines: StatementFilter,
        transactions: Option<StatementFilter>,
    ) -> Result<Self, StoreError> {
        let accounts = if transactions.is_some() { accounts.accounts().await? } else { Vec::new() };
        let modes = |account: AccountId| {
            [Mode::Live, Mode::Test].map(|mode| Scope { account: account.clone(), mode })
        };
        let scopes = accounts.into_iter().flat_map(|account| modes(account.id)).collect();
        let transactions = transactions.unwrap_or_default();
        let found = StatementVerification {
            transaction_days: transactions.days,
            ..StatementVerification::default()
        };
        Ok(Self {
            lines,
            transactions,
            found,
            lines_after: None,
            has_lines: true,
            scopes,
            transactions_after: None,
        })
    }

    /// Reads everything that is left.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn finish(
        mut self,
        statements: &dyn Statements,
    ) -> Result<StatementVerification, StoreError> {
        while self.next(statements).await?.is_some() {}
        Ok(self.found)
    }

    /// The next lines and transactions that do not agree, perhaps none of a page; `None` at the
    /// end.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn next(
        &mut self,
        statements: &dyn Statements,
    ) -> Result<Option<Vec<StatementException>>, StoreError> {
        let limit = u32::try_from(CHUNK).unwrap_or(u32::MAX);
        if self.has_lines {
            let page =
                statements.statement_lines(&self.lines, self.lines_after.as_ref(), limit).await?;
            let exceptions = page.iter().filter_map(|line| self.found.add_line(line)).collect();
            self.has_lines = page.len() == CHUNK;
            let position = |last: MatchedLine| LinePosition {
                statement: last.statement,
                number: last.line.number,
            };
            self.lines_after = page.into_iter().next_back().map(position);
            return Ok(Some(exceptions));
        }
        let Some(scope) = self.scopes.last() else { return Ok(None) };
        let after = self.transactions_after.as_ref();
        let page =
            statements.transactions_without_line(&self.transactions, scope, after, limit).await?;
        let exceptions =
            page.iter().filter_map(|transaction| self.found.add_missing(transaction)).collect();
        self.transactions_after = page.last().filter(|_| page.len() == CHUNK).map(Cursor::after);
        if self.transactions_after.is_none() {
            self.scopes.pop();
        }
        Ok(Some(exceptions))
    }
}
